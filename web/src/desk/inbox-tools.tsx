import type { IncidentRecord } from '../../../src/contract/operations/incidents.ts';
import { Button } from '../components/button.tsx';
import { ConfirmButton } from '../components/confirm-button.tsx';
import { ErrorNote } from '../components/error-note.tsx';
import { countOf, formatNumber } from '../lib/format.ts';
import { replaceQuery } from '../lib/route.ts';
import { useMay } from '../shell/use-may.ts';
import { ORDERS } from './arrange.ts';
import { type InboxFilter, showFound, showOrder } from './inbox-filter.ts';
import type { useActs } from './use-acts.ts';

type Props = {
  filter: InboxFilter;
  /** All that are known now, shown or not. */
  known: readonly IncidentRecord[];
  shown: readonly IncidentRecord[];
  chosen: ReadonlySet<number>;
  clear: () => void;
  /** How many came that are not in the list yet. */
  waiting: number;
  take: () => void;
  acts: ReturnType<typeof useActs>;
  me: string;
};

/** Above the list: what is listed and how, what came since, and work on several at once. */
export function InboxTools(props: Props) {
  const { filter, waiting, acts } = props;
  const { onlyAccount } = filter;
  const may = useMay();
  return (
    <div className="inbox-tools">
      <input
        type="search"
        className="inbox-find"
        aria-label="Find incidents"
        placeholder="Find account, rule, person"
        value={filter.find}
        onChange={({ target }) => showFound(target.value)}
      />
      <select
        aria-label="Order of incidents"
        value={filter.order}
        onChange={({ target }) =>
          showOrder(ORDERS.find(({ value }) => value === target.value)?.value ?? 'time')
        }
      >
        {ORDERS.map(({ value, title }) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </select>
      {onlyAccount === undefined ? null : (
        <Button size="small" onClick={() => replaceQuery({ account: undefined })}>
          Only {props.shown[0]?.accountName ?? onlyAccount} ✕
          <span className="visually-hidden"> (show all accounts)</span>
        </Button>
      )}
      <span className="inbox-arrived" aria-live="polite">
        {waiting > 0 ? (
          <Button size="small" kind="primary" onClick={props.take}>
            {formatNumber(waiting, 0)} new ▲
          </Button>
        ) : null}
      </span>
      {may.write ? (
        <span className="inbox-several">
          <Several {...props} />
        </span>
      ) : null}
      {acts.error ? <ErrorNote title="Not done." error={acts.error} /> : null}
    </div>
  );
}

/** Acts on the chosen ones, or on all shown if none is chosen. */
function Several({ known, shown, chosen, clear, acts, me }: Props) {
  const some = chosen.size > 0 ? shown.filter(({ id }) => chosen.has(id)) : shown;
  const open = some.filter(({ acknowledged }) => !acknowledged);
  const number = formatNumber(open.length, 0);
  const which = chosen.size > 0 ? 'chosen' : 'shown';
  const asOf = Math.max(0, ...known.map(({ id }) => id));
  return (
    <>
      {open.length > 1 || (chosen.size > 0 && open.length > 0) ? (
        <ConfirmButton
          kind="plain"
          question={`Acknowledge ${countOf(open.length, 'incident')}?`}
          consequence="They disappear from the open incidents on every screen. The audit records that you did it."
          confirm="Acknowledge them"
          subject={{ seen: open, handling: { acknowledged: true }, asOf }}
          work={acts}
          done={clear}
          meanwhile={({ asOf }) => <Meanwhile count={newer(known, asOf)} />}
        >
          Acknowledge the {number} {which}
        </ConfirmButton>
      ) : null}
      {chosen.size > 0 ? (
        <>
          <Button
            size="small"
            onClick={() =>
              void acts
                .mutateAsync({ seen: some, handling: { assignee: me } })
                .then(clear, () => {})
            }
          >
            Take
            <span className="visually-hidden"> the {formatNumber(some.length, 0)} chosen</span>
          </Button>
          <Button size="small" kind="quiet" onClick={clear}>
            Choose none
          </Button>
        </>
      ) : null}
    </>
  );
}

const newer = (known: readonly IncidentRecord[], asOf: number): number =>
  known.filter(({ id, acknowledged }) => id > asOf && !acknowledged).length;

function Meanwhile({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <p className="note note-warn">
      {formatNumber(count, 0)} more came meanwhile. {count === 1 ? 'It stays' : 'They stay'} open.
    </p>
  );
}

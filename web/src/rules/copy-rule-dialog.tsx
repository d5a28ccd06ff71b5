import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { AccountRecord } from '../../../src/contract/operations/accounts.ts';
import type { accountsOverviewOperation } from '../../../src/contract/operations/accounts-overview.ts';
import type {
  createTrackerOperation,
  NewTracker,
  previewTrackerOperation,
  TrackerRecord,
} from '../../../src/contract/operations/trackers.ts';
import { Badge } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { ErrorNote } from '../components/error-note.tsx';
import { Field } from '../components/field.tsx';
import { Loading } from '../components/loading.tsx';
import { call } from '../lib/api.ts';
import { formatNumber } from '../lib/format.ts';
import './rules.css';
import { describeRule } from './rule-words.ts';
import { type Outcome, useEach } from './use-each.ts';

const MAX_SHOWN = 100;
const TRACKERS = '/users/current/accounts/:accountId/trackers' as const;

/** What of a tracker is its rule; where it begins and ends is each account's own. */
function ruleOf(tracker: TrackerRecord): NewTracker {
  const { _id: _, startBrokerTime: _start, endBrokerTime: _end, ...rule } = tracker;
  return rule;
}

/** Amounts mean something else in another currency. */
const hasMoney = (rule: NewTracker): boolean =>
  [
    rule.absoluteDrawdownThreshold,
    rule.absoluteProfitThreshold,
    rule.initialCapital,
    rule.lockAt,
  ].some((amount) => amount !== undefined);

/** Tries a tracker's rule on the history of other accounts, and lets it watch those that are chosen. */
export function CopyRuleDialog(props: {
  account: AccountRecord;
  tracker: TrackerRecord;
  close: () => void;
}) {
  const { account, close } = props;
  const rule = ruleOf(props.tracker);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const queries = useQueryClient();
  const trial = useEach((accountId, signal) =>
    call<typeof previewTrackerOperation>(
      `POST ${TRACKERS}/preview`,
      { params: { accountId }, body: rule },
      signal,
    ),
  );
  const creation = useEach((accountId, signal) =>
    call<typeof createTrackerOperation>(
      `POST ${TRACKERS}`,
      { params: { accountId }, body: rule },
      signal,
    ),
  );
  const isBusy = trial.isBusy || creation.isBusy;
  const create = async (): Promise<void> => {
    await creation.run([...chosen]);
    await queries.invalidateQueries({ queryKey: ['account'] });
    await queries.invalidateQueries({ queryKey: ['accounts'] });
  };
  const number = formatNumber(chosen.size, 0);
  const accounts = `${number} ${chosen.size === 1 ? 'account' : 'accounts'}`;
  return (
    <Dialog title={`“${rule.name}” for other accounts`} close={close} wide>
      <div className="stack">
        <p className="rule-words">{describeRule(rule, account.currency)}</p>
        {hasMoney(rule) ? (
          <p className="hint">
            Its amounts are in {account.currency}: only accounts in {account.currency} are listed.
          </p>
        ) : null}
        <Choice
          account={account}
          currency={hasMoney(rule) ? account.currency : undefined}
          chosen={chosen}
          choose={setChosen}
          isFixed={isBusy}
          tell={(id) => (
            <Told trial={trial.outcomes.get(id)} creation={creation.outcomes.get(id)} />
          )}
        />
        <div className="actions">
          <Button
            busy={trial.isBusy}
            disabled={isBusy || chosen.size === 0}
            onClick={() => void trial.run([...chosen])}
          >
            Try on their history
          </Button>
          <Button
            kind="primary"
            busy={creation.isBusy}
            disabled={isBusy || chosen.size === 0}
            onClick={() => void create()}
          >
            Watch {accounts}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function Choice(props: {
  account: AccountRecord;
  /** The only one, where amounts mean something in it alone. */
  currency: string | undefined;
  chosen: ReadonlySet<string>;
  choose: (chosen: ReadonlySet<string>) => void;
  isFixed: boolean;
  tell: (accountId: string) => ReactNode;
}) {
  const { account, currency, chosen, choose, isFixed } = props;
  const [search, setSearch] = useState('');
  const [isUnwatchedOnly, setUnwatchedOnly] = useState(false);
  const query = {
    ...{ search: search.trim(), limit: MAX_SHOWN, sort: 'name' as const },
    filter: isUnwatchedOnly ? ('unwatched' as const) : ('all' as const),
  };
  const found = useQuery({
    queryKey: ['accounts', 'to-watch', query],
    queryFn: ({ signal }) =>
      call<typeof accountsOverviewOperation>(
        'GET /users/current/accounts-overview',
        { query },
        signal,
      ),
    placeholderData: keepPreviousData,
  });
  if (found.error) return <ErrorNote error={found.error} retry={found.refetch} />;
  if (!found.data) return <Loading label="Loading accounts" lines={5} />;
  const shown = found.data.accounts.filter(
    (one) => one.id !== account.id && (currency === undefined || one.currency === currency),
  );
  const toggle = (ids: readonly string[], isOn: boolean): void => {
    const next = new Set(chosen);
    for (const id of ids) isOn ? next.add(id) : next.delete(id);
    choose(next);
  };
  const more = found.data.total - found.data.accounts.length;
  return (
    <>
      <div className="row">
        <Field label="Search accounts">
          {(control) => (
            <input
              {...control}
              type="search"
              value={search}
              onChange={({ target }) => setSearch(target.value)}
            />
          )}
        </Field>
        <label className="check">
          <input
            type="checkbox"
            checked={isUnwatchedOnly}
            onChange={({ target }) => setUnwatchedOnly(target.checked)}
          />
          Only unwatched
        </label>
        <label className="check">
          <input
            type="checkbox"
            disabled={isFixed || shown.length === 0}
            checked={shown.length > 0 && shown.every(({ id }) => chosen.has(id))}
            onChange={({ target }) =>
              toggle(
                shown.map(({ id }) => id),
                target.checked,
              )
            }
          />
          All {formatNumber(shown.length, 0)} that are shown
        </label>
      </div>
      {shown.length === 0 ? <p className="muted">No other account fits.</p> : null}
      <ul className="copy-rule" aria-live="polite">
        {shown.map(({ id, name, login }) => (
          <li key={id}>
            <label className="check">
              <input
                type="checkbox"
                disabled={isFixed}
                checked={chosen.has(id)}
                onChange={({ target }) => toggle([id], target.checked)}
              />
              {name} <span className="hint">{login}</span>
            </label>
            {props.tell(id)}
          </li>
        ))}
      </ul>
      {more > 0 ? (
        <p className="hint">{formatNumber(more, 0)} more accounts: search for them.</p>
      ) : null}
    </>
  );
}

type Preview = Awaited<ReturnType<typeof call<typeof previewTrackerOperation>>>;

function Told(props: {
  trial: Outcome<Preview> | undefined;
  creation: Outcome<unknown> | undefined;
}) {
  const { trial, creation } = props;
  if (creation) {
    if ('done' in creation) return <Badge tone="good">Watching</Badge>;
    return <Failed error={creation.error} />;
  }
  if (!trial) return null;
  if ('error' in trial) return <Failed error={trial.error} />;
  const { events, periods } = trial.done;
  if (periods.length === 0) return <span className="muted">No history to try it on</span>;
  if (events.length === 0) return <Badge tone="good">Would never have fired</Badge>;
  const times = events.length === 1 ? 'once' : `${events.length} times`;
  return (
    <Badge tone="warn">
      Would have fired {times} in {periods.length} {periods.length === 1 ? 'period' : 'periods'}
    </Badge>
  );
}

const Failed = ({ error }: { error: unknown }) => (
  <span className="field-error">{error instanceof Error ? error.message : String(error)}</span>
);

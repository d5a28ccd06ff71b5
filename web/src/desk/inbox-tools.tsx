import type { IncidentRecord } from '../../../src/contract/operations/incidents.ts';
import { Button } from '../components/button.tsx';
import { ConfirmButton } from '../components/confirm-button.tsx';
import { ErrorNote } from '../components/error-note.tsx';
import { formatNumber } from '../lib/format.ts';
import { replaceQuery } from '../lib/route.ts';
import { useMay } from '../shell/use-may.ts';
import type { InboxFilter } from './inbox-filter.ts';
import type { useHandleIncidents } from './use-incidents.ts';

const MOST_AT_ONCE = 1000;

/** Above the list: back to all accounts, and acknowledging all shown ones. */
export function InboxTools(props: {
  filter: InboxFilter;
  shown: readonly IncidentRecord[];
  handle: ReturnType<typeof useHandleIncidents>;
}) {
  const { shown, handle } = props;
  const { onlyAccount } = props.filter;
  const may = useMay();
  const open = shown.filter(({ acknowledged }) => !acknowledged).slice(0, MOST_AT_ONCE);
  const number = formatNumber(open.length, 0);
  return (
    <div className="inbox-tools">
      {onlyAccount === undefined ? null : (
        <Button size="small" onClick={() => replaceQuery({ account: undefined })}>
          Only {shown[0]?.accountName ?? onlyAccount} ✕
          <span className="visually-hidden"> (show all accounts)</span>
        </Button>
      )}
      {may.write && open.length > 1 ? (
        <ConfirmButton
          kind="plain"
          question={`Acknowledge ${number} incidents?`}
          consequence="They disappear from the open incidents on every screen. The audit records that you did it."
          confirm="Acknowledge them"
          work={handle}
          action={() =>
            handle.mutateAsync({ body: { ids: open.map(({ id }) => id), acknowledged: true } })
          }
        >
          Acknowledge the {number} shown
        </ConfirmButton>
      ) : null}
      {handle.error ? <ErrorNote title="Not done." error={handle.error} /> : null}
    </div>
  );
}

import type { IncidentChoice } from '../../../src/words/service.ts';
import { Button } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { chooseGroup } from '../lib/group.ts';
import { path } from '../lib/path.ts';
import type { InboxFilter } from './inbox-filter.ts';
import { BLIND, type Blind, useCounters } from './use-counters.ts';

/** Why no incident is listed. */
export function InboxEmpty({ filter }: { filter: InboxFilter }) {
  const { state, label, ofAccount } = filter;
  if (ofAccount !== undefined) return <NothingOfAccount accountId={ofAccount} state={state} />;
  return <NothingOpen state={state} label={label} />;
}

function NothingOfAccount(props: { accountId: string; state: IncidentChoice }) {
  return (
    <Empty
      title={props.state === 'open' ? 'No incident is open' : 'No threshold was exceeded'}
      action={<a href={path.account(props.accountId, { tab: 'trackers' })}>To the trackers</a>}
    >
      What its trackers report appears here within a second.
    </Empty>
  );
}

/** An empty list is only reassuring if limits are measured. */
function NothingOpen({ state, label }: { state: IncidentChoice; label: string }) {
  const { data } = useCounters();
  if (label) {
    return (
      <Empty
        title={state === 'open' ? `No incident is open in “${label}”` : `No incident in “${label}”`}
        action={<Button onClick={() => chooseGroup('')}>Show all accounts</Button>}
      />
    );
  }
  if (!data) return null;
  const blind = BLIND.filter((counter) => data[counter] > 0);
  if (data.all === 0 || blind.length > 0) {
    return (
      <Empty
        title={state === 'open' ? 'No incident is open' : 'No incident yet'}
        action={
          data.all === 0 ? (
            <a href={path.accounts()}>To the accounts</a>
          ) : (
            <a href={path.risk({ show: blind[0] ?? 'stale' })}>Show these accounts</a>
          )
        }
      >
        {data.all === 0
          ? 'There are no accounts yet, so nothing is watched.'
          : `This does not mean that all is well: ${blind.map((counter) => `${data[counter]} ${BLIND_WORDS[counter]}`).join(', ')}.`}
      </Empty>
    );
  }
  return (
    <Empty title={data.exceeded > 0 ? 'All incidents are acknowledged' : 'All within limits'}>
      {data.exceeded > 0
        ? 'Accounts that broke a limit are in the list next to this.'
        : 'Every account in use is watched, and snapshots come in.'}
    </Empty>
  );
}

const BLIND_WORDS: Record<Blind, string> = {
  unwatched: 'in use without a loss limit',
  stale: 'without new snapshots',
  clockOff: 'whose clock and the server’s do not agree',
};

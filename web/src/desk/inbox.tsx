import { useRef, useState } from 'react';
import type { IncidentRecord } from '../../../src/contract/operations/incidents.ts';
import { Button } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { ConfirmButton } from '../components/confirm-button.tsx';
import { Empty } from '../components/empty.tsx';
import { ErrorNote } from '../components/error-note.tsx';
import { Loading } from '../components/loading.tsx';
import { Segmented } from '../components/segmented.tsx';
import { showToast } from '../components/toast.tsx';
import { formatNumber } from '../lib/format.ts';
import { chooseGroup, useGroup } from '../lib/group.ts';
import { path } from '../lib/path.ts';
import { useIsPrinting } from '../lib/printing.ts';
import { navigate, replaceQuery, useLocation } from '../lib/route.ts';
import { useCurrentToken } from '../shell/use-current-token.ts';
import { useMay } from '../shell/use-may.ts';
import { IncidentDialog } from './incident-dialog.tsx';
import { IncidentItem } from './incident-item.tsx';
import { useCounters } from './use-counters.ts';
import { useHandleIncidents, useIncidents } from './use-incidents.ts';
import './inbox.css';
import { useInboxKeys } from './use-inbox-keys.ts';

const STATES = [
  { value: 'open', title: 'Open' },
  { value: 'all', title: 'All' },
] as const;
const KINDS = [
  { value: 'any', title: 'Any' },
  { value: 'drawdown', title: 'Losses' },
  { value: 'profit', title: 'Targets' },
] as const;
/** As many are counted by the server. */
const MOST_COUNTED = 1000;
const MOST_AT_ONCE = 1000;
const FIRST_ON_NARROW = 6;

/** What was exceeded, newest first, until somebody acknowledges it. */
export function Inbox(props: {
  /** Only of this account, on its own page; else of the one that the address names, or of all. */
  account?: { id: string; name: string };
}) {
  const { query } = useLocation();
  // On the desk the open ones come first; an account's page has its history.
  const usual = props.account ? 'all' : 'open';
  const state = STATES.find(({ value }) => value === query.get('state'))?.value ?? usual;
  const kind = KINDS.find(({ value }) => value === query.get('kind'))?.value ?? 'any';
  const named = query.get('account') ?? undefined;
  const accountId = props.account?.id ?? named;
  const group = useGroup();
  // An account that is named is shown whatever its group.
  const label = accountId ? '' : group;
  const filter = {
    ...{ state, accountId },
    ...{ kind: kind === 'any' ? undefined : kind, label: label || undefined },
  } as const;
  const inbox = useIncidents(filter);
  const may = useMay();
  const me = useCurrentToken()?.name ?? '';
  const handle = useHandleIncidents();
  const [edited, setEdited] = useState<IncidentRecord>();
  const incidents = inbox.incidents ?? [];
  const isNew = useArrivals(inbox.incidents, JSON.stringify(filter));
  const { selected, select } = useInboxKeys(incidents, {
    acknowledge: ({ id, acknowledged }) => {
      if (may.write) handle.mutate({ ids: [id], acknowledged: !acknowledged });
    },
    open: ({ id }) => navigate(path.incident(id)),
    assign: ({ id, assignee }) => {
      if (may.write) handle.mutate({ ids: [id], assignee: assignee === me ? '' : me });
    },
    annotate: (incident) => {
      if (may.write) setEdited(incident);
    },
  });
  // On a phone the accounts come below: a long list would hide them.
  const [isLong, setLong] = useState(!matchMedia('(max-width: 1220px)').matches);
  const isPrinting = useIsPrinting();
  const shown = isLong || isPrinting ? incidents : incidents.slice(0, FIRST_ON_NARROW);
  const open = incidents.filter(({ acknowledged }) => !acknowledged).slice(0, MOST_AT_ONCE);
  return (
    <Card
      flush
      className="inbox"
      title="Incidents"
      hint={<InboxHint open={inbox.open} />}
      actions={
        <>
          <Segmented
            legend="Which incidents"
            options={STATES}
            value={state}
            choose={(next) => replaceQuery({ state: next === usual ? undefined : next })}
          />
          <Segmented
            legend="Kind of incidents"
            options={KINDS}
            value={kind}
            choose={(next) => replaceQuery({ kind: next === 'any' ? undefined : next })}
          />
        </>
      }
    >
      <div className="inbox-tools">
        {named && !props.account ? (
          <Button size="small" onClick={() => replaceQuery({ account: undefined })}>
            Only {incidents[0]?.accountName ?? named} ✕
            <span className="visually-hidden"> (show all accounts)</span>
          </Button>
        ) : null}
        {may.write && open.length > 1 ? (
          <ConfirmButton
            kind="plain"
            question={`Acknowledge ${formatNumber(open.length, 0)} incidents?`}
            consequence="They leave the open incidents on every screen. The audit records that you did it."
            confirm="Acknowledge them"
            busy={handle.isPending}
            error={handle.error}
            action={() => handle.mutateAsync({ ids: open.map(({ id }) => id), acknowledged: true })}
          >
            Acknowledge the {formatNumber(open.length, 0)} shown
          </ConfirmButton>
        ) : null}
        {handle.error ? <ErrorNote title="Not done." error={handle.error} /> : null}
      </div>
      {inbox.error ? <ErrorNote error={inbox.error} retry={inbox.refetch} /> : null}
      {inbox.isPending ? (
        <div className="card-inset">
          <Loading label="Loading incidents" lines={6} />
        </div>
      ) : null}
      {inbox.incidents?.length === 0 ? (
        props.account ? (
          <NothingOfAccount account={props.account} state={state} />
        ) : (
          <NothingOpen state={state} label={label} />
        )
      ) : null}
      <ol className="incidents" aria-label="Incidents, newest first">
        {shown.map((incident) => (
          <IncidentItem
            key={incident.id}
            incident={incident}
            isSelected={incident.id === selected}
            isNew={isNew(incident.id)}
            mayWrite={may.write}
            me={me}
            select={select}
            handle={handle.mutate}
            annotate={setEdited}
          />
        ))}
      </ol>
      {isPrinting && inbox.hasNextPage ? (
        <p className="hint card-inset">
          The newest {formatNumber(shown.length, 0)}; the older ones are left out.
        </p>
      ) : null}
      <div className="inbox-more">
        {shown.length < incidents.length ? (
          <Button onClick={() => setLong(true)}>
            Show {formatNumber(incidents.length - shown.length, 0)} more
          </Button>
        ) : inbox.hasNextPage ? (
          <Button busy={inbox.isFetchingNextPage} onClick={() => inbox.fetchNextPage()}>
            Show older ones
          </Button>
        ) : incidents.length > 0 ? (
          <span className="hint">
            {state === 'open' ? 'These are all that are open.' : 'These are all there are.'}
          </span>
        ) : null}
        <span className="hint wide-only">
          <kbd>J</kbd> <kbd>K</kbd> next, previous · <kbd>A</kbd> acknowledge · <kbd>E</kbd>{' '}
          evidence · <kbd>M</kbd> mine · <kbd>N</kbd> note ·{' '}
          {props.account ? null : (
            <>
              <kbd>G</kbd> group ·{' '}
            </>
          )}
          <kbd>Ctrl</kbd> <kbd>K</kbd> go to an account
        </span>
      </div>
      {edited ? (
        <IncidentDialog
          incident={incidents.find(({ id }) => id === edited.id) ?? edited}
          close={() => setEdited(undefined)}
          save={async (handling) => {
            await handle.mutateAsync({ ids: [edited.id], ...handling });
            showToast('Saved');
          }}
          busy={handle.isPending}
          error={handle.error}
        />
      ) : null}
    </Card>
  );
}

function InboxHint({ open }: { open: number | undefined }) {
  if (open === undefined) return <>One for each account and moment</>;
  const count = open >= MOST_COUNTED ? `${formatNumber(MOST_COUNTED, 0)} or more` : String(open);
  return <>{open === 0 ? 'None is open' : `${count} open`}; newest first</>;
}

function NothingOfAccount(props: { account: { id: string }; state: 'open' | 'all' }) {
  return (
    <Empty
      title={props.state === 'open' ? 'No incident is open' : 'No threshold was exceeded'}
      action={<a href={path.account(props.account.id, { tab: 'trackers' })}>To the trackers</a>}
    >
      Whatever its trackers find appears here within a second.
    </Empty>
  );
}

/** Nothing exceeded reassures only where something is measured. */
function NothingOpen({ state, label }: { state: 'open' | 'all'; label: string }) {
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
  if (data.all === 0 || data.unwatched > 0 || data.stale > 0) {
    return (
      <Empty
        title={state === 'open' ? 'No incident is open' : 'No incident yet'}
        action={
          data.all === 0 ? (
            <a href={path.accounts()}>To the accounts</a>
          ) : (
            <a href={path.risk({ show: data.unwatched > 0 ? 'unwatched' : 'stale' })}>
              Show these accounts
            </a>
          )
        }
      >
        {data.all === 0
          ? 'There are no accounts yet, so nothing is watched.'
          : `This does not mean that all is well: ${wordsOf(data.unwatched, data.stale)}.`}
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

function wordsOf(unwatched: number, stale: number): string {
  const parts = [
    ...(unwatched > 0 ? [`${unwatched} in use without a loss limit`] : []),
    ...(stale > 0 ? [`${stale} without new snapshots`] : []),
  ];
  return parts.join(', ');
}

/** Tells what came after the list was first shown: only that catches the eye. */
function useArrivals(
  incidents: readonly IncidentRecord[] | undefined,
  list: string,
): (id: number) => boolean {
  const first = useRef<{ list: string; newest: number }>(undefined);
  if (incidents && first.current?.list !== list) {
    first.current = { list, newest: incidents[0]?.id ?? 0 };
  }
  return (id) => first.current !== undefined && id > first.current.newest;
}

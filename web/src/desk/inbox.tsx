import { useState } from 'react';
import type { IncidentRecord } from '../../../src/contract/operations/incidents.ts';
import { Card } from '../components/card.tsx';
import { ErrorNote } from '../components/error-note.tsx';
import { Loading } from '../components/loading.tsx';
import { Segmented } from '../components/segmented.tsx';
import { showToast } from '../components/toast.tsx';
import { formatNumber } from '../lib/format.ts';
import { useIsPrinting } from '../lib/printing.ts';
import './inbox.css';
import { InboxEmpty } from './inbox-empty.tsx';
import { InboxEnd } from './inbox-end.tsx';
import {
  askedOf,
  type InboxFilter,
  KINDS,
  STATES,
  showKind,
  showState,
  useInboxFilter,
} from './inbox-filter.ts';
import { InboxTools } from './inbox-tools.tsx';
import { IncidentDialog } from './incident-dialog.tsx';
import { IncidentList } from './incident-list.tsx';
import { useHandleIncidents, useIncidents } from './use-incidents.ts';

const FIRST_ON_NARROW = 6;

/** Exceeded thresholds, newest first, until acknowledged. */
export function Inbox(props: {
  /**
   * Only of this account, on its own page; otherwise of the one named in the address, or of all.
   */
  accountId?: string;
}) {
  const filter = useInboxFilter(props.accountId);
  const inbox = useIncidents(askedOf(filter));
  const handle = useHandleIncidents();
  const [edited, setEdited] = useState<IncidentRecord>();
  // On a phone the accounts are below: a long list would hide them.
  const [isLong, setLong] = useState(!matchMedia('(max-width: 1220px)').matches);
  const isPrinting = useIsPrinting();
  const incidents = inbox.incidents ?? [];
  const shown = isLong || isPrinting ? incidents : incidents.slice(0, FIRST_ON_NARROW);
  return (
    <Card
      flush
      className="inbox"
      title="Incidents"
      hint={<InboxHint open={inbox.open} />}
      actions={<InboxFilters filter={filter} />}
    >
      <InboxTools filter={filter} shown={shown} handle={handle} />
      {inbox.error ? <ErrorNote error={inbox.error} retry={inbox.refetch} /> : null}
      {inbox.isPending ? (
        <div className="card-inset">
          <Loading label="Loading incidents" lines={6} />
        </div>
      ) : null}
      {inbox.incidents?.length === 0 ? <InboxEmpty filter={filter} /> : null}
      <IncidentList
        list={JSON.stringify(filter)}
        incidents={inbox.incidents && shown}
        handle={(body) => handle.mutate({ body })}
        annotate={setEdited}
      />
      <InboxEnd
        filter={filter}
        inbox={inbox}
        hidden={incidents.length - shown.length}
        showHidden={() => setLong(true)}
      />
      {edited ? (
        <IncidentDialog
          incident={incidents.find(({ id }) => id === edited.id) ?? edited}
          close={() => setEdited(undefined)}
          save={async (handling) => {
            await handle.mutateAsync({ body: { ids: [edited.id], ...handling } });
            showToast('Saved');
          }}
          busy={handle.isPending}
          error={handle.error}
        />
      ) : null}
    </Card>
  );
}

const InboxFilters = ({ filter }: { filter: InboxFilter }) => (
  <>
    <Segmented
      legend="Which incidents"
      options={STATES}
      value={filter.state}
      choose={(state) => showState(filter, state)}
    />
    <Segmented legend="Kind of incidents" options={KINDS} value={filter.kind} choose={showKind} />
  </>
);

/** The server counts up to this number. */
const MOST_COUNTED = 1000;

function InboxHint({ open }: { open: number | undefined }) {
  if (open === undefined) return <>One for each account and moment</>;
  const count = open >= MOST_COUNTED ? `${formatNumber(MOST_COUNTED, 0)} or more` : String(open);
  return <>{open === 0 ? 'None open' : `${count} open`}; newest first</>;
}

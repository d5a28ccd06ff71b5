import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import type { IncidentRecord } from '../../../src/contract/operations/incidents.ts';
import { Button } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { Empty } from '../components/empty.tsx';
import { ErrorNote } from '../components/error-note.tsx';
import { Loading } from '../components/loading.tsx';
import { Segmented } from '../components/segmented.tsx';
import { formatNumber } from '../lib/format.ts';
import { useIsPrinting } from '../lib/printing.ts';
import { useSteadyRows } from '../lib/steady.ts';
import { useCurrentToken } from '../shell/use-current-token.ts';
import './inbox.css';
import { arrange, ORDERS, type Order } from './arrange.ts';
import { InboxEmpty } from './inbox-empty.tsx';
import { InboxEnd } from './inbox-end.tsx';
import {
  askedOf,
  type InboxFilter,
  KINDS,
  STATES,
  showFound,
  showKind,
  showState,
  useInboxFilter,
} from './inbox-filter.ts';
import { InboxTools } from './inbox-tools.tsx';
import { IncidentDialog } from './incident-dialog.tsx';
import { IncidentList } from './incident-list.tsx';
import { OvertakenDialog } from './overtaken-dialog.tsx';
import { useActs } from './use-acts.ts';
import { useChosen } from './use-chosen.ts';
import { useIncidents } from './use-incidents.ts';

const FIRST_ON_NARROW = 6;

/** Exceeded thresholds, until acknowledged. */
export function Inbox(props: {
  /**
   * Only of this account, on its own page; otherwise of the one named in the address, or of all.
   */
  accountId?: string;
}) {
  const filter = useInboxFilter(props.accountId);
  const inbox = useIncidents(askedOf(filter));
  useAllOpen(inbox, filter);
  const acts = useActs();
  const me = useCurrentToken()?.name ?? '';
  const [edited, setEdited] = useState<IncidentRecord>();
  // The way to what acts on the list is part of it: what came must not end under the pointer.
  const place = useRef<HTMLDivElement>(null);
  const listed = useListed(inbox, filter, place);
  const { list, known, fitting, steady, shown, here } = listed;
  const chosen = useChosen(here.map(idOf));
  return (
    <Card
      flush
      className="inbox"
      title="Incidents"
      hint={<InboxHint open={inbox.open} order={filter.order} />}
      actions={<InboxFilters filter={filter} />}
    >
      <div ref={place}>
        <InboxTools
          filter={filter}
          known={known}
          shown={here}
          chosen={chosen.chosen}
          clear={chosen.clear}
          waiting={steady.waiting}
          take={steady.take}
          acts={acts}
          me={me}
        />
        {inbox.error ? <ErrorNote error={inbox.error} retry={inbox.refetch} /> : null}
        {inbox.isPending ? (
          <div className="card-inset">
            <Loading label="Loading incidents" lines={6} />
          </div>
        ) : null}
        {inbox.incidents?.length === 0 ? <InboxEmpty filter={filter} /> : null}
        {known.length > 0 && fitting.length === 0 ? <NothingFound filter={filter} /> : null}
        <IncidentList
          list={list}
          order={filter.order}
          incidents={inbox.incidents && shown}
          drawn={listed.drawn}
          isGone={steady.isGone}
          chosen={chosen.chosen}
          choose={chosen.choose}
          set={chosen.set}
          handle={(incident, handling) => acts.act({ seen: [incident], handling })}
          annotate={setEdited}
          take={steady.take}
          me={me}
        />
      </div>
      <div ref={listed.end} />
      <InboxEnd
        filter={filter}
        inbox={inbox}
        hidden={listed.hidden}
        showHidden={listed.showHidden}
      />
      {edited ? <Edited acts={acts} edited={edited} known={known} close={setEdited} /> : null}
      <OvertakenDialog acts={acts} goOn={() => setEdited(undefined)} />
    </Card>
  );
}

/** Those that fit the search, in their order, each at its place while people are in the list. */
function useListed(
  inbox: ReturnType<typeof useIncidents>,
  filter: InboxFilter,
  place: RefObject<HTMLDivElement | null>,
) {
  // On a phone the accounts are below: a long list would hide them.
  const [isLong, setLong] = useState(!matchMedia('(max-width: 1220px)').matches);
  const isPrinting = useIsPrinting();
  const list = JSON.stringify(filter);
  const known = inbox.incidents ?? NONE;
  const { order, find } = filter;
  const fitting = useMemo(() => arrange(known, order, find), [known, order, find]);
  const steady = useSteadyRows(place, list, fitting, idOf);
  const end = useRef<HTMLDivElement>(null);
  const shown = isLong || isPrinting ? steady.rows : steady.rows.slice(0, FIRST_ON_NARROW);
  const grown = useGrowing(end, shown.length, list);
  const drawn = isPrinting ? shown.length : grown;
  const here = shown.filter((incident) => !steady.isGone(incident));
  const hidden = steady.rows.length - shown.length;
  return {
    list,
    known,
    fitting,
    steady,
    shown,
    hidden,
    here,
    drawn,
    end,
    showHidden: () => setLong(true),
  };
}

const ROWS_AT_ONCE = 60;

/** How many of many rows are drawn: more when the end of those comes into sight. */
function useGrowing(end: RefObject<HTMLElement | null>, total: number, question: string): number {
  const [drawn, setDrawn] = useState({ question, most: ROWS_AT_ONCE });
  const most = drawn.question === question ? drawn.most : ROWS_AT_ONCE;
  useEffect(() => {
    if (!end.current || most >= total) return;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) setDrawn({ question, most: most + ROWS_AT_ONCE });
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [end, most, total, question]);
  return most;
}

const NONE: readonly IncidentRecord[] = [];
const idOf = ({ id }: IncidentRecord): number => id;

/** The server counts up to this number; as many are loaded by themselves. */
const MOST_COUNTED = 1000;

/** Open ones are ordered, searched and grouped here: all of them are loaded, page by page. */
function useAllOpen(inbox: ReturnType<typeof useIncidents>, { state }: InboxFilter): void {
  const { hasNextPage, isFetching, fetchNextPage } = inbox;
  const isMore = state === 'open' && hasNextPage && (inbox.incidents?.length ?? 0) < MOST_COUNTED;
  useEffect(() => {
    if (isMore && !isFetching) void fetchNextPage();
  }, [isMore, isFetching, fetchNextPage]);
}

/** The assignee and a note of one, as it is now. */
function Edited(props: {
  acts: ReturnType<typeof useActs>;
  edited: IncidentRecord;
  known: readonly IncidentRecord[];
  close: (none: undefined) => void;
}) {
  const { acts, edited, known } = props;
  const incident = known.find(({ id }) => id === edited.id) ?? edited;
  return (
    <IncidentDialog
      incident={incident}
      close={() => props.close(undefined)}
      save={(handling) => acts.mutateAsync({ seen: [incident], handling })}
      busy={acts.isPending}
      error={acts.error}
    />
  );
}

const NothingFound = ({ filter: { find } }: { filter: InboxFilter }) => (
  <Empty
    title={`Nothing listed is about “${find}”`}
    action={<Button onClick={() => showFound('')}>Show all</Button>}
  />
);

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

function InboxHint({ open, order }: { open: number | undefined; order: Order }) {
  if (open === undefined) return <>One for each account and moment</>;
  const count = open >= MOST_COUNTED ? `${formatNumber(MOST_COUNTED, 0)} or more` : String(open);
  const title = ORDERS.find(({ value }) => value === order)?.title ?? '';
  return (
    <>
      {open === 0 ? 'None open' : `${count} open`}; {title.toLowerCase()}; times are the brokers’
    </>
  );
}

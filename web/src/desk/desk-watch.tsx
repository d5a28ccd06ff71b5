import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { IncidentRecord } from '../../../src/contract/operations/incidents.ts';
import type { LiveMessage } from '../../../src/contract/operations/live-standing.ts';
import type {
  EventRecord,
  trackerEventStreamOperation,
} from '../../../src/contract/operations/tracker-events.ts';
import { call } from '../lib/api.ts';
import { gather } from '../lib/gather.ts';
import { onSilence } from '../lib/live.ts';
import { path } from '../lib/path.ts';
import { setTitleCount } from '../lib/title.ts';
import { useCurrentToken } from '../shell/use-current-token.ts';
import { type AlarmKind, ring } from './alarm.ts';
import { followStanding } from './follow-standing.ts';
import { BLIND, type Blind, type Counter, useCounters } from './use-counters.ts';
import { useNewestIncidents } from './use-incidents.ts';
import type { Told } from './verdict.ts';

/** Events that come together are looked up together. */
const GATHERING_MS = 250;
/** Reading a thousand incidents again takes its time, too. */
const MANY_GATHERING_MS = 1_500;
const FEW_PAGES = 2;
/** An account on the page changes as often as its feed sends. */
const STANDING_MS = 1_000;

/**
 * Watches all accounts on every page: rings when a threshold is exceeded and when accounts go stale
 * or unwatched, and keeps the count in the title. Shows nothing itself.
 */
export function DeskWatch() {
  const token = useCurrentToken();
  const isUser = token?.userId !== undefined;
  const newest = useNewestIncidents(isUser).data;
  const counters = useCounters(isUser).data;
  useRefreshOnNews(newest && lastNumberOf(newest.incidents));
  useCounterAlarm(counters);
  useActionAlarm(newest?.incidents);
  useEffect(() => setTitleCount(newest?.open ?? 0), [newest?.open]);
  return null;
}

const lastNumberOf = (incidents: readonly Told[]): number =>
  Math.max(
    0,
    ...incidents.flatMap(({ events, revisions }) =>
      [...events, ...revisions].map(({ sequenceNumber }) => sequenceNumber),
    ),
  );

/** Whether a list of many pages is shown, all of which are read again. */
const areMany = (client: QueryClient): boolean =>
  client
    .getQueriesData<{ pages?: unknown[] }>({ queryKey: ['incidents'], type: 'active' })
    .some(([, data]) => (data?.pages?.length ?? 0) > FEW_PAGES);

/** Follows what happens, once the number of the last event is known: rings, and reads anew. */
function useRefreshOnNews(after: number | undefined): void {
  const client = useQueryClient();
  const last = useRef(after);
  last.current ??= after;
  const isKnown = after !== undefined;
  useEffect(() => {
    if (!isKnown) return;
    const gone = new AbortController();
    const { signal } = gone;
    const changed = new Set<string>();
    const invalidate = (...keys: string[][]) =>
      Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
    const refresh = gather(
      () => invalidate(['incidents'], ['accounts'], ['account']),
      () => (areMany(client) ? MANY_GATHERING_MS : GATHERING_MS),
    );
    const events = gather(
      async () => {
        for (const event of await eventsAfter(last.current ?? 0, signal)) {
          last.current = event.sequenceNumber;
          ringFor(event);
        }
      },
      () => GATHERING_MS,
    );
    const standings = gather(
      async () => {
        const shown = shownAccounts(client).filter((id) => changed.has(id));
        changed.clear();
        await invalidate(
          ...shown.flatMap((id) => LIVE_PARTS_SHOWN.map((part) => ['account', id, part])),
        );
      },
      () => STANDING_MS,
    );
    let isTold = false;
    const hear = (message: LiveMessage): void => {
      if (message.kind === 'begin') isTold = message.reason === 'resumed';
      if (message.kind === 'complete') isTold = true;
      if (message.kind !== 'account') {
        refresh.call();
        events.call();
        return;
      }
      const { accountId, standing, openIncidents, incidents, lastEvent = 0 } = message;
      if (lastEvent > (last.current ?? 0)) events.call();
      if (!isTold) return;
      if (openIncidents !== undefined || incidents || lastEvent > 0) refresh.call();
      if (!standing) return;
      changed.add(accountId);
      standings.call();
    };
    const forget = onSilence(refresh.call);
    void followStanding(hear, signal);
    return () => {
      gone.abort();
      forget();
      for (const each of [refresh, events, standings]) each.stop();
    };
  }, [isKnown, client]);
}

/** What pages of an account show of its standing. */
const LIVE_PARTS_SHOWN = ['standing', 'equity-live'];

/** The accounts that the page shows singly. */
function shownAccounts(client: QueryClient): string[] {
  const queries = client.getQueryCache().findAll({ queryKey: ['account'], type: 'active' });
  return [...new Set(queries.map(({ queryKey }) => String(queryKey[1])))];
}

const MAX_EVENTS = 1000;

const eventsAfter = (after: number, signal: AbortSignal): Promise<EventRecord[]> =>
  call<typeof trackerEventStreamOperation>(
    'GET /users/current/tracker-events/stream',
    { query: { previousSequenceNumber: after, limit: MAX_EVENTS, wait: 0 } },
    signal,
  );

/** The alarm's text for an event; nothing if no one has to act. */
function alarmOf(event: EventRecord): [kind: AlarmKind, title: string] | undefined {
  switch (event.kind) {
    case 'drawdown':
      return ['loss', 'A loss limit was exceeded'];
    case 'profit':
      return ['target', 'A profit target was reached'];
    case 'revision':
      return event.stillExceeded
        ? ['loss', `Event ${event.revises} was revised, and still stands`]
        : ['target', `Event ${event.revises} was revised: nothing was exceeded`];
    case 'warning':
    case 'enrolment':
    case 'silence':
    case 'return':
      return undefined;
  }
}

function ringFor(event: EventRecord): void {
  const alarm = alarmOf(event);
  if (!alarm) return;
  const body = `Event ${event.sequenceNumber}. The risk desk has all that is open.`;
  ring(...alarm, body, path.risk({ label: '' }));
}

const WORDS: Record<Blind, string> = {
  clockOff: 'The clock of an account and that of the server do not agree',
  stale: 'No snapshots come in for an account',
  unwatched: 'An account has no loss limit that is measured',
};

/** An unmeasured limit can't be exceeded: it rings as loudly as an exceeded one. */
function useCounterAlarm(counters: Partial<Record<Counter, number>> | undefined): void {
  const before = useRef(counters);
  useEffect(() => {
    for (const counter of BLIND) {
      const [was, is] = [before.current?.[counter], counters?.[counter]];
      if (was !== undefined && is !== undefined && is > was) {
        ring(
          'loss',
          WORDS[counter],
          `${is} now, ${was} before`,
          path.risk({ show: counter, label: '' }),
        );
      }
    }
    if (counters) before.current = counters;
  }, [counters]);
}

/** A failed action on a platform rings like its breach. */
function useActionAlarm(incidents: readonly IncidentRecord[] | undefined): void {
  const before = useRef<number>(undefined);
  const escalated = incidents
    ?.flatMap(({ actions }) => actions)
    .filter(({ state }) => state === 'escalated').length;
  useEffect(() => {
    if (escalated === undefined) return;
    if (before.current !== undefined && escalated > before.current) {
      ring(
        'loss',
        'An action at a breach was not done',
        'A person has to look.',
        path.actions({ state: 'escalated' }),
      );
    }
    before.current = escalated;
  }, [escalated]);
}

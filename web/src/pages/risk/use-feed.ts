import { useEffect, useRef, useState } from 'react';
import type {
  TrackerEventRecord,
  trackerEventsByTimeOperation,
} from '../../../../src/contract/operations/tracker-events.ts';
import { call } from '../../lib/api.ts';
import { toBrokerTime } from '../../lib/format.ts';
import { type FeedState, followEvents } from './follow-events.ts';

const DAY_MS = 86_400_000;
/** Looked back so far, in turn, until there is enough to show. */
const LOOK_BACK_DAYS = [2, 14, 90];
const ENOUGH = 50;
const MAX_KEPT = 2_000;

/** Events of the last days, newest first, and every new one as it happens. */
export function useFeed(alarm: (event: TrackerEventRecord) => void) {
  const [events, setEvents] = useState<TrackerEventRecord[]>();
  const [state, setState] = useState<FeedState>('connecting');
  const [error, setError] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  const newest = useRef(alarm);
  newest.current = alarm;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt begins anew
  useEffect(() => {
    const gone = new AbortController();
    setError(undefined);
    const run = async (): Promise<void> => {
      const past = await readRecent(gone.signal);
      setEvents(past);
      const after = Math.max(0, ...past.map(({ sequenceNumber }) => sequenceNumber));
      const hear = (event: TrackerEventRecord): void => {
        setEvents((all) => [event, ...(all ?? [])].slice(0, MAX_KEPT));
        // Without any past event the stream begins with the first ever: that is no news.
        if (after > 0 || isRecent(event)) newest.current(event);
      };
      await followEvents({ after }, hear, setState, gone.signal);
    };
    run().catch((cause: unknown) => {
      if (!gone.signal.aborted) setError(cause);
    });
    return () => gone.abort();
  }, [attempt]);
  return { events, state, error, retry: () => setAttempt(attempt + 1) };
}

const isRecent = ({ brokerTime }: TrackerEventRecord): boolean =>
  brokerTime >= toBrokerTime(Date.now() - DAY_MS);

async function readRecent(signal: AbortSignal): Promise<TrackerEventRecord[]> {
  let events: TrackerEventRecord[] = [];
  for (const days of LOOK_BACK_DAYS) {
    const all = await call<typeof trackerEventsByTimeOperation>(
      'GET /users/current/tracker-events/by-broker-time',
      { query: { startBrokerTime: toBrokerTime(Date.now() - days * DAY_MS) } },
      signal,
    );
    events = all.filter((event) => 'exceededThresholdType' in event);
    if (events.length >= ENOUGH) break;
  }
  return events.reverse();
}

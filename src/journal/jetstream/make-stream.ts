import { setTimeout as sleep } from 'node:timers/promises';
import {
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream';
import { JournalUnavailable } from './stream.ts';

export const STREAM = 'PLIMSOLL_JOURNAL';
export const SUBJECT = 'plimsoll.journal';

const REPLICAS = 3;
/** How long the stream remembers ids; a message is retried for a few seconds only. */
const DUPLICATE_WINDOW_NS = 120_000 * 1_000_000;
/** A newly started cluster cannot create streams for a few moments. */
const READY_MS = 10_000;
const READY_RETRY_MS = 250;
/**
 * Servers first started at the same time can leave one out permanently (seen with 2.10.27): each is
 * healthy, but they form a cluster of two.
 */
const NO_PLACE = 'no suitable peers';
const LET_IN =
  '. Where all three servers run, one was left out of their cluster: look for a cluster_size' +
  ' below 3 at /jsz of each, and start the one again that the leader does not list';

/**
 * The stream itself never drops anything: when it is full, it refuses new messages. No first_seq:
 * with any, even 1, servers drop acknowledged messages on a restart (seen with 2.10.27). A stream
 * that must begin after 1 is purged up to there while it is empty.
 */
const CONFIG = {
  name: STREAM,
  subjects: [SUBJECT],
  storage: StorageType.File,
  retention: RetentionPolicy.Limits,
  discard: DiscardPolicy.New,
  duplicate_window: DUPLICATE_WINDOW_NS,
  allow_direct: true,
  deny_delete: true,
} as const;

/** The stream of the journal, created if it does not exist; in a cluster, on three servers. */
export function makeStream(manager: JetStreamManager, isCluster: boolean): Promise<StreamInfo> {
  const replicas = isCluster ? REPLICAS : 1;
  const findOrMake = () =>
    manager.streams.info(STREAM).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
      return manager.streams.add({ ...CONFIG, subjects: [SUBJECT], num_replicas: replicas });
    });
  return onceReady(findOrMake, 'is not there and cannot be made');
}

/**
 * The stream that already holds a journal. Never creates it, whatever the servers say: after all of
 * them have restarted, the newly elected leader denies for some milliseconds that its streams
 * exist, and a stream added then is not served until they restart again (seen with 2.10.27).
 */
export function findStream(manager: JetStreamManager): Promise<StreamInfo> {
  return onceReady(() => manager.streams.info(STREAM), 'cannot be found');
}

/** Retries while a cluster starts. Throws JournalUnavailable, with the reason. */
async function onceReady(work: () => Promise<StreamInfo>, what: string): Promise<StreamInfo> {
  const untilMs = performance.now() + READY_MS;
  for (;;) {
    try {
      return await work();
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      if (performance.now() > untilMs) {
        const advice = reason.includes(NO_PLACE) ? LET_IN : '';
        throw new JournalUnavailable(`The stream ${STREAM} ${what}: ${reason}${advice}`, { cause });
      }
      await sleep(READY_RETRY_MS);
    }
  }
}

const isNotFound = (error: unknown): boolean =>
  error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound;

/** Warnings for an operator about wrong settings of the stream. */
export function warningsOf(config: StreamConfig): string[] {
  const { num_replicas: replicas, max_age, max_bytes, max_msgs } = config;
  const limits = [max_age, max_bytes, max_msgs].some((limit) => limit > 0);
  return [
    ...(replicas < REPLICAS
      ? [
          `it has ${replicas} replica(s): with fewer than ${REPLICAS}, one lost disk loses what it holds`,
        ]
      : []),
    ...(limits ? ['it has a limit of age, bytes or messages: it may drop what is not folded'] : []),
    ...(config.storage === StorageType.File
      ? []
      : ['it is stored in memory: a restart loses all of it']),
    ...(config.first_seq > 0
      ? ['it has a first_seq: servers drop messages when they restart']
      : []),
    ...(config.allow_direct ? [] : ['allow_direct is off: nothing can be read']),
    ...(config.duplicate_window >= DUPLICATE_WINDOW_NS
      ? []
      : ['duplicate_window is below 2 minutes: a message may be taken twice']),
  ];
}

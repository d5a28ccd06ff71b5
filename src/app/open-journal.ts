import { sleep } from '../domain/timekeeper.ts';
import { isBound } from '../journal/jetstream/bind-journal.ts';
import { checkSync } from '../journal/jetstream/check-sync.ts';
import { JournalUnavailable } from '../journal/jetstream/stream.ts';
import type { Journal, JournalLogger } from '../journal/journal.ts';
import { SqlJournal } from '../journal/sql-journal.ts';
import type { Database } from '../storage/database.ts';
import type { Settings } from './settings.ts';
import { systemTime } from './system-time.ts';

/** How long the servers' answers about their settings are trusted. */
const BELIEVED_MS = 30_000;
const RETRY_MS = 1000;

type Where = Pick<Settings, 'NATS_URL' | 'NATS_MONITOR_URL'>;

export type OpenedJournal = {
  journal: Journal;
  /**
   * Why no commit should be acknowledged here, for the readiness check; undefined when all is well.
   */
  failure(): Promise<string | undefined>;
};

/**
 * Opens the journal of the settings: the tables of the database, or the stream of a NATS cluster,
 * waiting as long as a server may take to start. `origin` names this process. Throws WrongJournal,
 * UnfitServer or JournalUnavailable.
 */
export async function openJournal(
  settings: Where,
  database: Database,
  origin: string,
  logger: JournalLogger,
  waitMs = 0,
): Promise<OpenedJournal> {
  if (settings.NATS_URL === '') {
    const journal = await SqlJournal.open(database, systemTime, origin);
    return { journal, failure: async () => undefined };
  }
  const untilMs = systemTime.elapsed() + waitMs;
  for (;;) {
    try {
      return await openStream(settings, database, origin, logger);
    } catch (error) {
      const isLate = systemTime.elapsed() >= untilMs;
      if (isLate || !(error instanceof JournalUnavailable)) throw error;
      logger.warn({ reason: error.message }, 'the journal cannot be opened yet');
      await sleep(systemTime, RETRY_MS);
    }
  }
}

async function openStream(
  { NATS_URL, NATS_MONITOR_URL: monitors }: Where,
  database: Database,
  origin: string,
  logger: JournalLogger,
): Promise<OpenedJournal> {
  // Loaded when used: the journal is usually in the database.
  const [{ NatsStream }, { JetStreamJournal }] = await Promise.all([
    import('../journal/jetstream/nats-stream.ts'),
    import('../journal/jetstream/jetstream-journal.ts'),
  ]);
  const holdsJournal = await isBound(database);
  const stream = await NatsStream.open({ urls: NATS_URL, logger, holdsJournal });
  for (const warning of stream.warnings) logger.warn({ warning }, 'the journal is not safe');
  try {
    const journal = await JetStreamJournal.open({ database, stream, time: systemTime, origin });
    const unsafe = new SyncWatch(monitors, logger);
    await unsafe.reason();
    return { journal, failure: async () => stream.failure ?? (await unsafe.reason()) };
  } catch (error) {
    await stream.close();
    throw error;
  }
}

/** Whether acknowledged data is on disk, according to the servers, asked from time to time. */
class SyncWatch {
  readonly #monitors: readonly string[];
  readonly #logger: JournalLogger;
  #askedMs = Number.NEGATIVE_INFINITY;
  #reason: Promise<string | undefined> = Promise.resolve(undefined);
  #isWarned = false;

  constructor(monitors: readonly string[], logger: JournalLogger) {
    this.#monitors = monitors;
    this.#logger = logger;
  }

  reason(): Promise<string | undefined> {
    const nowMs = systemTime.elapsed();
    if (nowMs - this.#askedMs < BELIEVED_MS) return this.#reason;
    this.#askedMs = nowMs;
    this.#reason = this.#ask();
    return this.#reason;
  }

  async #ask(): Promise<string | undefined> {
    const { unsafe, unknown } = await checkSync(this.#monitors);
    if (this.#monitors.length === 0) unknown.push('NATS_MONITOR_URL is not set');
    if (unknown.length > 0 && !this.#isWarned) {
      this.#isWarned = true;
      const message = 'whether NATS writes to disk before it acknowledges cannot be verified';
      this.#logger.warn({ reasons: unknown }, `${message}: see docs/scaling.md`);
    }
    if (unsafe.length === 0) return undefined;
    return `NATS acknowledges data that is not on disk: ${unsafe.join('; ')}`;
  }
}

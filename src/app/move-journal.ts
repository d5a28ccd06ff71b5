import { randomUUID } from 'node:crypto';
import { isBound } from '../journal/jetstream/bind-journal.ts';
import { moveToStream } from '../journal/jetstream/move-to-stream.ts';
import { NatsStream } from '../journal/jetstream/nats-stream.ts';
import { WrongCommand } from './asked-wrongly.ts';
import { createLogger } from './logger.ts';
import { openDatabase } from './open-database.ts';
import type { Settings } from './settings.ts';
import { systemTime } from './system-time.ts';

/** `plimsoll journal move`: moves the journal of the database to the stream of NATS_URL. */
export async function moveJournal(settings: Settings, json: boolean): Promise<void> {
  if (settings.NATS_URL === '')
    throw new WrongCommand('Set NATS_URL to the servers to move the journal to');
  const { database } = await openDatabase(settings);
  try {
    const logger = createLogger(settings.LOG_LEVEL);
    const holdsJournal = await isBound(database);
    const stream = await NatsStream.open({ urls: settings.NATS_URL, logger, holdsJournal });
    try {
      const moved = await moveToStream({
        database,
        stream,
        time: systemTime,
        origin: randomUUID(),
      });
      const text = `The journal is now in the stream, including ${moved} commits that were not folded yet`;
      console.log(json ? JSON.stringify({ moved }) : text);
    } finally {
      await stream.close();
    }
  } finally {
    await database.close();
  }
}

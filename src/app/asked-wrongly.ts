import { WrongJournal } from '../journal/journal.ts';
import { MissingKey } from '../services/keys/check-keys.ts';
import { NoFolder } from '../storage/drivers/make-folder.ts';
import { NewerSchema } from '../storage/drivers/migrate.ts';
import { UnfitDatabase } from '../storage/drivers/postgres-fitness.ts';
import { SharedSessions } from '../storage/drivers/postgres-pooler.ts';
import { FolderInUse } from '../storage/drivers/sqlite.ts';
import { NoHost } from './listen.ts';
import { NoDatabase } from './open-database.ts';

/** A command was given settings or arguments that it cannot do anything with. */
export class WrongCommand extends Error {
  override readonly name = 'WrongCommand';
}

const KINDS = [
  FolderInUse,
  MissingKey,
  NoDatabase,
  NewerSchema,
  NoFolder,
  NoHost,
  SharedSessions,
  UnfitDatabase,
  WrongCommand,
  WrongJournal,
];

/** Whether only other settings or another command can mend a failure. */
export const isAskedWrongly = (error: unknown): boolean =>
  KINDS.some((kind) => error instanceof kind);

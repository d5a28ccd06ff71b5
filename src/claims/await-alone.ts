import { sleep, type Timekeeper } from '../domain/timekeeper.ts';
import { ALONE, listProcesses, type ProcessRow } from '../storage/claim-store.ts';
import type { Sql } from '../storage/database.ts';
import type { LocalProcesses } from './local-processes.ts';
import { PATIENCE_MS, Silence } from './silence.ts';

const LOOK_EVERY_MS = 500;

export type Waiting = {
  database: Sql;
  time: Timekeeper;
  localProcesses: LocalProcesses;
  /** Called at each check with the processes waited for. Throws to refuse the wait. */
  waitFor(processes: readonly ProcessRow[]): void;
  /** Ends the wait, with its reason. */
  signal?: AbortSignal;
};

/** Tells whether a process has been silent since it was last seen. */
export type IsSilent = (process: Pick<ProcessRow, 'id' | 'beat'>) => boolean;

/**
 * Waits until none of the processes that `matter` uses the database: stopped ones have left it,
 * dead ones are silent for some seconds. The server of an embedded database is never among them:
 * the caller holds its folder.
 */
export async function awaitAlone(
  { database, time, localProcesses, waitFor, signal }: Waiting,
  matters: (process: ProcessRow) => boolean,
): Promise<IsSilent> {
  const silence = new Silence(time, PATIENCE_MS, localProcesses);
  for (;;) {
    signal?.throwIfAborted();
    const seen = silence.look(await listProcesses(database));
    const living = seen.living.filter((each) => each.beat !== ALONE && matters(each));
    if (living.length === 0) {
      const dead = new Map([...seen.silent, ...seen.gone].map(({ id, beat }) => [id, beat]));
      return ({ id, beat }) => beat === ALONE || dead.get(id) === beat;
    }
    const beating = living.filter(({ id }) => seen.beating.has(id));
    if (beating.length > 0) waitFor(beating);
    await sleep(time, LOOK_EVERY_MS, signal);
  }
}

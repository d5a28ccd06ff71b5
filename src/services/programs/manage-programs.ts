import {
  type ListedProgramRecord,
  MAX_PROGRAMS_PER_USER,
  MAX_VERSIONS,
  type NewProgram,
  type ProgramPhaseRecord,
  type ProgramRecord,
} from '../../contract/operations/programs.ts';
import type { Transaction } from '../../storage/database.ts';
import { countProgramEnrolments, isProgramUsed } from '../../storage/enrolment-store.ts';
import { readHolding } from '../../storage/holding-store.ts';
import {
  deleteProgramRow,
  findProgram,
  insertProgram,
  listPrograms,
  type StoredProgram,
} from '../../storage/program-store.ts';
import { requireActionScope } from '../breach-actions/action-rights.ts';
import { actorOf } from '../changes.ts';
import { type Context, type Principal, userOf, wholeUserOf } from '../context.ts';
import { conflict, invalid, notFound } from '../errors.ts';
import { momentText, type Page, readMoment, readPage } from '../page.ts';
import { phaseActions, programFaults } from './define-program.ts';

type Program = StoredProgram<ProgramPhaseRecord[]>;
type Version = { id: string; version: number };

/**
 * A page of the newest versions of the user's programs, newest first, with the number of enrolments
 * that the token reaches.
 */
export async function readPrograms(
  { database }: Context,
  principal: Principal,
  { limit, before }: { limit: number; before?: string | undefined },
): Promise<Page<ListedProgramRecord>> {
  const userId = userOf(principal);
  const { items: total } = await readHolding(database, userId, 'program');
  const from = readMoment(before);
  const read = async (most: number): Promise<ListedProgramRecord[]> => {
    const found = await listPrograms<ProgramPhaseRecord[]>(database, userId, from, most);
    const enrolments = await countProgramEnrolments(
      database,
      { userId, accountNumbers: principal.accountNumbers },
      found.map(({ id }) => id),
    );
    return found.map((each) => ({ ...present(each), enrolments: enrolments.get(each.id) ?? 0 }));
  };
  return readPage({ limit, total }, read, ({ createdAt, id }) => ({
    before: momentText({ atMs: Date.parse(createdAt), id }),
  }));
}

/** A version of a program; the newest, if none is given. Throws `notFound`. */
export async function readProgram(
  { database }: Context,
  principal: Principal,
  id: string,
  version: number | undefined,
): Promise<ProgramRecord> {
  return present(await ownProgram(database, userOf(principal), id, version));
}

/**
 * Throws `validation` naming every fault, `conflict` if there are too many programs, and
 * `forbidden` for actions beyond the token's rights.
 */
export async function createProgram(
  context: Context,
  principal: Principal,
  input: NewProgram,
): Promise<Version> {
  const userId = ownerOf(principal);
  checkInput(input);
  requireActionScope(principal, input.phases.flatMap(phaseActions));
  const id = context.newId();
  return context.changes.make(actorOf(principal), async (tx) => {
    const { items } = await tx.hold(userId, 'program', { items: 1, bytes: bytesOf(input) });
    if (items > MAX_PROGRAMS_PER_USER) {
      throw conflict(`The limit of ${MAX_PROGRAMS_PER_USER} programs is reached`);
    }
    await insertProgram(tx, { ...input, id, version: 1, userId, createdAtMs: context.now() });
    const details = { programId: id, version: 1, name: input.name };
    return {
      result: { id, version: 1 },
      audit: [{ action: 'program.created', userId, details }],
    };
  });
}

/**
 * Creates the next version; earlier ones stay. `known` is the newest version known to its writer.
 * Throws like createProgram, `notFound`, and `conflict` if there is a newer one.
 */
export async function updateProgram(
  context: Context,
  principal: Principal,
  id: string,
  input: NewProgram,
  known: number | undefined,
): Promise<Version> {
  const userId = ownerOf(principal);
  checkInput(input);
  requireActionScope(principal, input.phases.flatMap(phaseActions));
  return context.changes.make(actorOf(principal), async (tx) => {
    await lockProgram(tx, id);
    const newest = (await ownProgram(tx, userId, id)).version;
    if (known !== undefined && known !== newest) {
      throw conflict(`There is a newer version, ${newest}: base your change on that one`);
    }
    const version = newest + 1;
    if (version > MAX_VERSIONS) {
      throw conflict(`The limit of ${MAX_VERSIONS} versions is reached: create another program`);
    }
    await tx.hold(userId, 'program', { items: 0, bytes: bytesOf(input) });
    await insertProgram(tx, { ...input, id, version, userId, createdAtMs: context.now() });
    const details = { programId: id, version, name: input.name };
    return { result: { id, version }, audit: [{ action: 'program.updated', userId, details }] };
  });
}

/** Throws `conflict` if an account is or was enrolled in it. */
export async function deleteProgram(
  context: Context,
  principal: Principal,
  id: string,
): Promise<void> {
  const userId = ownerOf(principal);
  await context.changes.make(actorOf(principal), async (tx) => {
    await lockProgram(tx, id);
    const { name, version } = await ownProgram(tx, userId, id);
    if (await isProgramUsed(tx, id)) {
      throw conflict('Accounts are or were enrolled in this program: delete those accounts first');
    }
    const bytes = await deleteProgramRow(tx, id);
    await tx.hold(userId, 'program', { items: -1, bytes: -bytes });
    const details = { programId: id, name, version };
    return { result: undefined, audit: [{ action: 'program.deleted', userId, details }] };
  });
}

/** Locks a program against deletion and change until the end of the transaction. */
export const lockProgram = (tx: Transaction, id: string): Promise<void> => tx.lock(`program:${id}`);

export async function ownProgram(
  sql: Context['database'],
  userId: string,
  id: string,
  version?: number,
): Promise<Program> {
  const program = await findProgram<ProgramPhaseRecord[]>(sql, userId, id, version);
  if (!program) throw notFound('Program');
  return program;
}

/** Programs are for all the user's accounts: a token restricted to some must not change any. */
const ownerOf = (principal: Principal): string => wholeUserOf(principal, 'change programs');

function checkInput(input: NewProgram): void {
  const faults = programFaults(input);
  if (faults.length > 0) throw invalid(faults);
}

const bytesOf = ({ phases }: NewProgram): number => JSON.stringify(phases).length;

const present = ({ id, version, name, phases, createdAtMs }: Program): ProgramRecord => ({
  ...{ id, version, name, phases },
  createdAt: new Date(createdAtMs).toISOString(),
});

/*
 * Keeps the ids of trades unique while remembering few of them. A trade has the id of its position,
 * or of its deal if it is an operation, unless an earlier trade may have had it. An id counts as
 * taken if it is remembered, or if its number is not above all forgotten ones of its kind. Then it
 * gets a suffix that makes it unique:
 *
 *   "+d" and a deal id   the deal that began the position, or corrected it after it had closed
 *   "+2", "+3" …         later legs, which reversals began
 *   "+0"                 an operation, whose number a position may have too
 */

/** How many of the newest positions with plain ids are remembered. */
const REMEMBERED_POSITIONS = 256;
/** How many operations have plain ids, which are never forgotten; later ones get "+0". */
const PLAIN_OPERATIONS = 256;
/**
 * Kinds of forgotten ids, by the text before their number. Beyond them, every id counts as taken.
 */
const MAX_KINDS = 16;

/** Which plain ids are taken, or may be. */
export type TakenIds = {
  /** The newest ones, oldest first. */
  readonly positions: Set<string>;
  /** The highest forgotten number, by the text before it. */
  readonly forgotten: Map<string, number>;
  readonly operations: Set<string>;
};

export const noTakenIds = (): TakenIds => ({
  positions: new Set(),
  forgotten: new Map(),
  operations: new Set(),
});

/** Takes and returns the id for the trades of a position that a deal begins. */
export function takePositionId(taken: TakenIds, positionId: string, dealId: string): string {
  const id = escapeId(positionId);
  if (isTaken(taken, positionId)) return `${id}+d${escapeId(dealId)}`;
  taken.positions.add(positionId);
  const [oldest] = taken.positions;
  if (taken.positions.size > REMEMBERED_POSITIONS && oldest !== undefined) forget(taken, oldest);
  return id;
}

/** The id of one leg of a position, counted from 1. */
export const legId = (id: string, leg: number): string => (leg === 1 ? id : `${id}+${leg}`);

/** Takes an operation's id. Deals and positions are numbered apart, so both may have a number. */
export function takeOperationId(taken: TakenIds, dealId: string): string {
  const id = escapeId(dealId);
  if (taken.operations.size >= PLAIN_OPERATIONS || isTaken(taken, dealId)) return `${id}+0`;
  taken.operations.add(dealId);
  return id;
}

function isTaken({ positions, forgotten, operations }: TakenIds, plainId: string): boolean {
  if (positions.has(plainId) || operations.has(plainId)) return true;
  const { kind, number } = partsOf(plainId);
  return forgotten.size > MAX_KINDS || number <= (forgotten.get(kind) ?? -1);
}

function forget({ positions, forgotten }: TakenIds, positionId: string): void {
  positions.delete(positionId);
  if (forgotten.size > MAX_KINDS) return;
  const { kind, number } = partsOf(positionId);
  forgotten.set(kind, Math.max(number, forgotten.get(kind) ?? -1));
}

/** Most ids end in a number that counts up: platforms' tickets, and numbers after some text. */
function partsOf(id: string): { kind: string; number: number } {
  const digits = /\d{0,15}$/.exec(id)?.[0] ?? '';
  return { kind: id.slice(0, id.length - digits.length), number: Number(digits) };
}

/** Doubles each "+", so that no plain id looks like one with a suffix. */
const escapeId = (id: string): string => (id.includes('+') ? id.replaceAll('+', '++') : id);

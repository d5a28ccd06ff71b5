/*
 * Ids of trades stay unique, although little is remembered. A trade has the id of its position, or
 * of its deal if it is an operation, unless an earlier trade may have that id. An id counts as
 * taken if it is among those given last, or not above all the forgotten ones of its kind. Then it
 * is completed by something that no other trade shares:
 *
 *   "+d" and a deal id   the deal that began the position, or corrected it after it had closed
 *   "+2", "+3" …         legs after the first, which reversals began
 *   "+0"                 an operation, told from a position of the same number
 */

/** How many of the newest positions with plain ids are remembered. */
const REMEMBERED_POSITIONS = 256;
/** Operations that have their plain ids; later ones get "+0". They are never forgotten. */
const PLAIN_OPERATIONS = 256;
/**
 * Kinds of position ids, by the text before their number. With more, all unknown ids count as
 * taken.
 */
const MAX_KINDS = 16;

/** Which plain ids are taken, or may be. */
export type TakenIds = {
  /** In the order in which they were given. */
  readonly positions: Set<string>;
  /** The highest number of those that were forgotten, by the text before it. */
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

/** The id of a balance operation. Deals and positions are numbered apart, so numbers may meet. */
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

/** Ids count up in time, mostly: platforms' tickets, and numbers behind a text. */
function partsOf(id: string): { kind: string; number: number } {
  const digits = /\d{0,15}$/.exec(id)?.[0] ?? '';
  return { kind: id.slice(0, id.length - digits.length), number: Number(digits) };
}

/** A "+" within an id is doubled, so that completed ids never meet plain ones. */
const escapeId = (id: string): string => (id.includes('+') ? id.replaceAll('+', '++') : id);

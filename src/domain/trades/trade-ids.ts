/**
 * Ids of the positions and operations that ended last are remembered, so that a later one of the
 * same id gets an id of its own. One that comes back after that many others is taken for new.
 */
const REMEMBERED_IDS = 256;

/** Trades so far by position or operation id, in the order of the last. */
export type Legs = Map<string, number>;

/**
 * The id of the next trade of a position: its plain id, then "+2", "+3" …
 * @param before trades of it that are known from elsewhere, should memory have lost them
 */
export function legId(legs: Legs, positionId: string, before: number): string {
  const leg = Math.max(before, legs.get(positionId) ?? 0) + 1;
  remember(legs, positionId, leg);
  return leg === 1 ? escapeId(positionId) : `${escapeId(positionId)}+${leg}`;
}

/**
 * Deal ids and position ids are two numberings that may meet. Whoever comes first has the plain id:
 * an operation after a position of its number gets "+0", a position after an operation "+2".
 * @param isTaken whether a position of that id is open
 */
export function operationId(legs: Legs, dealId: string, isTaken: boolean): string {
  const id = escapeId(dealId);
  if (isTaken || legs.has(dealId)) return `${id}+0`;
  remember(legs, dealId, 1);
  return id;
}

/** A "+" within an id is doubled, so that ids made with suffixes never meet plain ones. */
const escapeId = (id: string): string => (id.includes('+') ? id.replaceAll('+', '++') : id);

function remember(legs: Legs, id: string, count: number): void {
  legs.delete(id);
  legs.set(id, count);
  const [oldest] = legs.keys();
  if (legs.size > REMEMBERED_IDS && oldest !== undefined) legs.delete(oldest);
}

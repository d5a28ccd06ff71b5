import { countFirst } from '../../domain/count-first.ts';
import type { RateOf } from './contract-rate.ts';
import { explainedBy } from './explained-profit.ts';
import {
  assign,
  type Exit,
  type Group,
  hasOpenedBefore,
  isBeforeClose,
  type Position,
} from './hedging-groups.ts';
import type { ListedPosition } from './matching.ts';

/**
 * Gives exits to listed positions that they closed completely: at the listed time, price and volume
 * with the listed result. If several exits and positions are equal in all of this, any choice gives
 * the same trades. If there are more positions than exits, some were closed in parts.
 */
export function matchWhole({ positions, exits }: Group): void {
  const listed = positions.filter((p) => p.closeTimeMs && p.listed?.volume === p.volume);
  const alike = Map.groupBy(exits, keyOf);
  for (const [key, same] of Map.groupBy(listed, ({ listed: row }) => row && keyOfListed(row))) {
    const waiting = [...same];
    const some = (key && alike.get(key)) || [];
    if (some.length < same.length) continue;
    for (const exit of some) {
      const at = waiting.findIndex((position) => hasOpenedBefore(position, exit));
      const [position] = at < 0 ? [] : waiting.splice(at, 1);
      if (position) fix(exit, position);
    }
  }
}

const keyOf = ({ timeMs, price, volume, profit, swap }: Exit): string =>
  [timeMs, price, volume, profit, swap].join('|');

const keyOfListed = ({ closeTimeMs, closePrice, volume, profit, swap }: ListedPosition): string =>
  [closeTimeMs, closePrice, volume, profit, swap].join('|');

/** Exits that may be parts of one position, and sums tried; beyond that the profits decide. */
const PARTS_MAX = 20;
const SUMS_MAX = 5_000;
const SUMS_OF_ALL_MAX = 4_000_000;
const ROUNDS_MAX = 8;

/**
 * Gives exits to listed positions that they closed in parts: some set of exits explained by its
 * open price, the last at the listed time, has the listed volume, profit and swap. Done only if
 * there is exactly one such set; that may leave one set for others.
 */
export function matchParts(group: Group, rateOf: RateOf, step: number): void {
  const spent = { sums: 0 };
  for (let round = 0; round < ROUNDS_MAX && spent.sums < SUMS_OF_ALL_MAX; round++) {
    const left = group.exits.filter(({ position }) => !position);
    if (left.length === 0) return;
    let found = 0;
    for (const position of group.positions) {
      if (position.listed?.closeTimeMs === undefined || position.remaining === 0) continue;
      if (spent.sums >= SUMS_OF_ALL_MAX) return;
      const parts = partsOf(position, left, group, rateOf, step);
      const set = parts && onlySet(position, parts, spent);
      for (const exit of set ?? []) fix(exit, position);
      found += set?.length ?? 0;
    }
    if (found === 0) return;
  }
}

function partsOf(
  position: Position,
  left: readonly Exit[],
  { direction }: Group,
  rateOf: RateOf,
  step: number,
): Exit[] | undefined {
  const parts: Exit[] = [];
  for (let at = firstAfter(left, position.openTimeMs); at < left.length; at++) {
    const exit = left[at] as Exit;
    if (exit.timeMs > (position.closeTimeMs ?? 0)) break;
    if (exit.position || exit.volume > position.remaining) continue;
    if (!hasOpenedBefore(position, exit) || !isBeforeClose(position, exit)) continue;
    if (!explainedBy(exit, position.openPrice, direction, rateOf(exit), step)) continue;
    if (parts.push(exit) > PARTS_MAX) return undefined;
  }
  return parts;
}

/**
 * The set of parts that adds up to the listed position; undefined if there is none or more than
 * one.
 */
function onlySet(
  position: Position,
  parts: readonly Exit[],
  spent: { sums: number },
): Exit[] | undefined {
  const { listed, remaining, closeTimeMs } = position;
  if (!listed) return undefined;
  let [sums, sets]: [number, Exit[][]] = [0, []];
  const chosen: Exit[] = [];
  const choose = (at: number, volume: number, profit: number, swap: number): void => {
    if (++sums > SUMS_MAX || sets.length > 1) return;
    if (volume === 0) {
      const isListed = profit === 0 && swap === 0 && chosen.at(-1)?.timeMs === closeTimeMs;
      if (isListed) sets = [...sets, [...chosen]];
      return;
    }
    const part = parts[at];
    if (!part) return;
    if (part.volume <= volume) {
      chosen.push(part);
      choose(at + 1, volume - part.volume, profit - part.profit, swap - part.swap);
      chosen.pop();
    }
    choose(at + 1, volume, profit, swap);
  };
  choose(0, remaining, listed.profit, listed.swap);
  spent.sums += sums;
  return sums <= SUMS_MAX && sets.length === 1 ? sets[0] : undefined;
}

/** A final choice. */
function fix(exit: Exit, position: Position): void {
  assign(exit, position);
  exit.isFixed = true;
}

const firstAfter = (exits: readonly Exit[], timeMs: number): number =>
  countFirst(exits.length, (place) => (exits[place]?.timeMs ?? 0) < timeMs);

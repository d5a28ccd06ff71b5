import type { Volume } from '../../domain/money.ts';
import type { RateOf } from './contract-rate.ts';
import { missOf, openPricesOf } from './explained-profit.ts';
import {
  assign,
  type Exit,
  type Group,
  hasOpenedBefore,
  isBeforeClose,
  isOlder,
  type Position,
  release,
} from './hedging-groups.ts';
import { OpenBook } from './open-book.ts';

/** Positions compared with one exit; those of one price come oldest first. */
const CANDIDATES_MAX = 1_024;
/** Closed positions of a side for which an earlier choice may still be revised. */
const CLOSED_KEPT = 512;
/** Positions noted for one exit. */
const RIVALS_MAX = 64;
/** Earlier choices examined to make room for one exit, and the depth of their chain. */
const REVISIONS_MAX = 512;
const REVISION_DEPTH = 6;
/** Bounds for all exits of a side together: at the start, and added by each exit. */
const REVISIONS_AT_FIRST = 16 * REVISIONS_MAX;
const REVISIONS_EACH = 4;

/** Exits that other positions also explain, and these; the source of ambiguity. */
export type Rivals = Map<Exit, Position[]>;

/**
 * Gives the exits of one side, in order of time, to the positions whose open price explains their
 * profit: a bipartite matching by augmenting paths (Berge 1957, Kuhn 1955), where an exit that
 * finds all its positions taken makes earlier ones move over. Returns the exits that found none.
 */
export function matchByProfit(group: Group, rateOf: RateOf, step: number, rivals: Rivals): Exit[] {
  const side = new OpenSide(group, rateOf, step);
  return group.exits.filter((exit) => {
    if (exit.position) return false;
    side.openUntil(exit);
    const able = [...side.live(exit), ...side.closed(exit)].filter(
      ({ volume }) => volume >= exit.volume,
    );
    const isPlaced = side.place(exit);
    if (able.length > (isPlaced ? 1 : 0)) rivals.set(exit, able.slice(0, RIVALS_MAX));
    return !isPlaced;
  });
}

/** The positions of one side at the moment of an exit, and the choices so far. */
class OpenSide {
  readonly #group: Group;
  readonly #rateOf: RateOf;
  readonly #step: number;
  readonly #live = new OpenBook(({ openPrice }) => openPrice);
  readonly #liveByAge = new OpenBook(({ openTimeMs }) => openTimeMs);
  readonly #closed = new OpenBook(({ openPrice }) => openPrice);
  readonly #closedInTurn: Position[] = [];
  /** Choices before the latest ones; undone from the end. */
  readonly #log: { exit: Exit; before: Position | undefined }[] = [];
  /** Positions whose exits are being moved, and the reserved room. */
  readonly #reserved = new Map<Position, Volume>();
  #next = 0;
  /** Revisions left for the current exit, and for all later ones. */
  #revisions = 0;
  #allowance = REVISIONS_AT_FIRST;

  constructor(group: Group, rateOf: RateOf, step: number) {
    this.#group = group;
    this.#rateOf = rateOf;
    this.#step = step;
  }

  openUntil(exit: Exit): void {
    const { positions } = this.#group;
    for (; this.#next < positions.length; this.#next++) {
      const position = positions[this.#next] as Position;
      if (!hasOpenedBefore(position, exit)) return;
      if (position.remaining > 0) this.#enter(position);
    }
  }

  /** Open positions that explain the exit. */
  live(exit: Exit): Position[] {
    const range = openPricesOf(exit, this.#group.direction, this.#rateOf(exit), this.#step);
    const found = range
      ? this.#live.within(...range, CANDIDATES_MAX)
      : this.#liveByAge.within(Number.NEGATIVE_INFINITY, exit.timeMs, CANDIDATES_MAX);
    return found.filter(allows(exit));
  }

  /** Those that explain it but were closed by others. */
  closed(exit: Exit): Position[] {
    const range = openPricesOf(exit, this.#group.direction, this.#rateOf(exit), this.#step);
    return range ? this.#closed.within(...range, CANDIDATES_MAX).filter(allows(exit)) : [];
  }

  /** Gives the exit to its best position, moving others if all are taken. */
  place(exit: Exit): boolean {
    this.#allowance += REVISIONS_EACH;
    const granted = Math.min(REVISIONS_MAX, this.#allowance);
    this.#revisions = granted;
    const isPlaced = this.#place(exit, REVISION_DEPTH);
    this.#allowance -= granted - Math.max(0, this.#revisions);
    this.#log.length = 0;
    return isPlaced;
  }

  #place(exit: Exit, depth: number): boolean {
    const best = this.#bestOf(exit);
    if (best) this.#move(exit, best);
    if (best || depth === 0) return best !== undefined;
    for (const position of [...this.live(exit), ...this.closed(exit)]) {
      if (this.#reserved.has(position) || position.volume < exit.volume) continue;
      this.#reserved.set(position, exit.volume);
      const hasRoom = this.#vacate(position, exit.volume, depth - 1);
      this.#reserved.delete(position);
      if (hasRoom) this.#move(exit, position);
      if (hasRoom) return true;
      if (this.#revisions <= 0) return false;
    }
    return false;
  }

  /** Moves one exit of the position on, or as many as needed, the largest first. */
  #vacate(position: Position, volume: number, depth: number): boolean {
    const exits = position.exits.filter((exit) => !exit.isFixed);
    exits.sort((a, b) => b.volume - a.volume || b.rank - a.rank);
    const single = exits.filter((exit) => position.remaining + exit.volume >= volume);
    for (const others of [...single.map((exit) => [exit]), exits]) {
      if (--this.#revisions < 0) return false;
      const mark = this.#log.length;
      if (this.#moveAway(others, position, volume, depth)) return true;
      this.#takeBack(mark);
    }
    return false;
  }

  #moveAway(exits: readonly Exit[], position: Position, volume: number, depth: number): boolean {
    for (const exit of exits) {
      if (position.remaining >= volume) break;
      const mark = this.#log.length;
      this.#move(exit, undefined);
      if (!this.#place(exit, depth)) this.#takeBack(mark);
    }
    return position.remaining >= volume;
  }

  /**
   * Completely closed before partly closed, then the nearer profit if meaningful, then the oldest.
   */
  #bestOf(exit: Exit): Position | undefined {
    let best: Position | undefined;
    let lowest = Number.POSITIVE_INFINITY;
    const rate = this.#rateOf(exit);
    for (const position of this.live(exit)) {
      const room = position.remaining - (this.#reserved.get(position) ?? 0);
      if (room < exit.volume) continue;
      const cost =
        (room === exit.volume ? 0 : 1) +
        missOf(exit, position, this.#group.direction, rate, this.#step);
      if (cost > lowest || (cost === lowest && best && !isOlder(position, best))) continue;
      best = position;
      lowest = cost;
    }
    return best;
  }

  #move(exit: Exit, to: Position | undefined): void {
    this.#log.push({ exit, before: exit.position });
    this.#put(exit, to);
  }

  #takeBack(mark: number): void {
    while (this.#log.length > mark) {
      const last = this.#log.pop();
      if (last) this.#put(last.exit, last.before);
    }
  }

  #put(exit: Exit, to: Position | undefined): void {
    const { position: from } = exit;
    if (from) {
      const wasClosed = from.remaining === 0;
      release(exit);
      if (wasClosed) this.#reopen(from);
    }
    if (!to) return;
    assign(exit, to);
    if (to.remaining === 0) this.#retire(to);
  }

  #enter(position: Position): void {
    this.#live.add(position);
    this.#liveByAge.add(position);
  }

  #retire(position: Position): void {
    this.#live.remove(position);
    this.#liveByAge.remove(position);
    this.#closed.add(position);
    this.#closedInTurn.push(position);
    if (this.#closedInTurn.length > CLOSED_KEPT)
      this.#closed.remove(this.#closedInTurn.shift() as Position);
  }

  #reopen(position: Position): void {
    this.#closed.remove(position);
    const turn = this.#closedInTurn.indexOf(position);
    if (turn >= 0) this.#closedInTurn.splice(turn, 1);
    this.#enter(position);
  }
}

const allows = (exit: Exit) => (position: Position) =>
  hasOpenedBefore(position, exit) && isBeforeClose(position, exit);

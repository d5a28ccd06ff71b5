import { countFirst } from '../../domain/count-first.ts';
import type { Position } from './hedging-groups.ts';

/** Positions ordered by a number; those of one number in the order they came in. */
export class OpenBook {
  readonly #positions: Position[] = [];
  readonly #keyOf: (position: Position) => number;

  constructor(keyOf: (position: Position) => number) {
    this.#keyOf = keyOf;
  }

  add(position: Position): void {
    const key = this.#keyOf(position);
    this.#positions.splice(
      this.#first((other) => other > key),
      0,
      position,
    );
  }

  remove(position: Position): void {
    const key = this.#keyOf(position);
    const at = this.#positions.indexOf(
      position,
      this.#first((other) => other >= key),
    );
    if (at >= 0) this.#positions.splice(at, 1);
  }

  /** Those whose number lies within both ends, inclusive, at most `count`. */
  within(low: number, high: number, count: number): Position[] {
    const from = this.#first((other) => other >= low);
    const to = this.#first((other) => other > high);
    return this.#positions.slice(from, Math.min(to, from + count));
  }

  /** Index of the first whose number passes; all later ones pass, too. */
  #first(passes: (key: number) => boolean): number {
    const keyAt = (place: number): number => this.#keyOf(this.#positions[place] as Position);
    return countFirst(this.#positions.length, (place) => !passes(keyAt(place)));
  }
}

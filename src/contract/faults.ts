/** What is wrong with one parameter: `leverage`, `brokerClock.zone`, `[17].volume`. */
export type Fault = { parameter: string; message: string };

/** Faults that one answer names, whatever finds them; looking ends there. */
export const MAX_FAULTS = 100;
/** Names that clients made up come back in answers: they are cut here. */
const MAX_NAME_LENGTH = 64;

/** The faults found so far. Whoever looks on asks `isFull` before the next row. */
export class Faults {
  readonly list: Fault[] = [];

  get isFull(): boolean {
    return this.list.length >= MAX_FAULTS;
  }

  get isEmpty(): boolean {
    return this.list.length === 0;
  }

  add(parameter: string, message: string): void {
    if (!this.isFull) this.list.push({ parameter, message });
  }

  /** Whether something is wrong with this parameter, or within it. */
  touches(parameter: string): boolean {
    return this.list.some(
      ({ parameter: name }) =>
        name === parameter || name.startsWith(`${parameter}.`) || name.startsWith(`${parameter}[`),
    );
  }
}

/** The name of a part: `[17]` of a list, `.volume` of a record, `volume` of the request itself. */
export function partOf(parent: string, key: string | number): string {
  if (typeof key === 'number') return `${parent}[${key}]`;
  const name = key.length > MAX_NAME_LENGTH ? `${key.slice(0, MAX_NAME_LENGTH)}…` : key;
  return parent === '' ? name : `${parent}.${name}`;
}

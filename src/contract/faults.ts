/** The fault of one parameter: `leverage`, `brokerClock.zone`, `[17].volume`. */
export type Fault = { parameter: string; message: string };

/** Most faults in one answer, of all checks together; checking ends there. */
export const MAX_FAULTS = 100;
/** Names invented by clients come back in answers: they are cut to this length. */
const MAX_NAME_LENGTH = 64;

/** The faults found so far. Check `isFull` before each further row. */
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

  /** Whether this parameter, or a part of it, has a fault. */
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

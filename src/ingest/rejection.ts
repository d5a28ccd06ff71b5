import type { Fault, Faults } from '../contract/faults.ts';

/** Why snapshots are not taken. */
export type RejectionKind = 'invalid' | 'unknownAccount' | 'tooLarge' | 'keyReused' | 'busy';

/** Snapshots that are not taken, none of them. Faults name rows: `[7].balance`. */
export class Rejection extends Error {
  override readonly name = 'Rejection';
  readonly kind: RejectionKind;
  readonly faults: readonly Fault[];

  constructor(kind: RejectionKind, message: string, faults: readonly Fault[] = []) {
    super(message);
    this.kind = kind;
    this.faults = faults;
  }
}

/** Throws Rejection `invalid` unless there are none. */
export function rejectFaults(faults: Faults): void {
  if (!faults.isEmpty) throw new Rejection('invalid', 'Rows are not valid', faults.list);
}

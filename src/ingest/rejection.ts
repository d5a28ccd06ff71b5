import type { Fault, Faults } from '../contract/faults.ts';

/** Reasons for rejecting snapshots. */
export const REJECTIONS = ['invalid', 'unknownAccount', 'tooLarge', 'keyReused', 'busy'] as const;
export type RejectionKind = (typeof REJECTIONS)[number];

/** A request is rejected as a whole: none of it is stored. Faults name rows: `[7].balance`. */
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

/** Throws Rejection `invalid` if there are any. */
export function rejectFaults(faults: Faults): void {
  if (!faults.isEmpty) throw new Rejection('invalid', 'Rows are not valid', faults.list);
}

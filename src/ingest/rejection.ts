/** What is wrong with a row; `parameter` names it as `[7].balance`. */
export type RowFault = { parameter: string; message: string };

/** Faults that one answer names; reading stops there. */
export const MAX_FAULTS = 100;

/** Why snapshots are not taken. */
export type RejectionKind = 'invalid' | 'unknownAccount' | 'tooLarge' | 'keyReused' | 'busy';

/** Snapshots that are not taken, none of them. */
export class Rejection extends Error {
  override readonly name = 'Rejection';
  readonly kind: RejectionKind;
  readonly faults: readonly RowFault[];

  constructor(kind: RejectionKind, message: string, faults: readonly RowFault[] = []) {
    super(message);
    this.kind = kind;
    this.faults = faults.slice(0, MAX_FAULTS);
  }
}

/** Collects faults up to as many as an answer names. */
export class Faults {
  readonly list: RowFault[] = [];

  get areEnough(): boolean {
    return this.list.length >= MAX_FAULTS;
  }

  add(row: number, field: string, message: string): void {
    if (this.areEnough) return;
    this.list.push({ parameter: field === '' ? `[${row}]` : `[${row}].${field}`, message });
  }

  throwAny(): void {
    if (this.list.length === 0) return;
    throw new Rejection('invalid', 'The request is not valid; details name its faults', this.list);
  }
}

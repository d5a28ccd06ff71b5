/**
 * Stored things that count towards a user's limits: those that users make and can delete, facts
 * that go with their account, and the audit of both.
 */
export const HOLDING_KINDS = [
  'token',
  'person',
  'program',
  'account-view',
  'rule-template',
  'table-mapping',
  'webhook',
  'note',
  'deal',
  'import',
  'hour',
  /** The minutes of an account in an hour. */
  'minutes',
  'audit',
] as const;
export type HoldingKind = (typeof HOLDING_KINDS)[number];
/** Facts of accounts, counted by number: each takes about as much as the next. */
export type FactKind = Extract<HoldingKind, 'deal' | 'import' | 'hour' | 'minutes'>;

/**
 * What users have stored, by what they can do about it: things that they made and can delete, facts
 * that go with their account, and what the audit says of both.
 */
export const HOLDING_KINDS = [
  'token',
  'program',
  'account-view',
  'rule-template',
  'table-mapping',
  'webhook',
  'note',
  'audit',
] as const;
export type HoldingKind = (typeof HOLDING_KINDS)[number];

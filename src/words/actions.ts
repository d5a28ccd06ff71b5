/**
 * What may be done to the account on its platform at a breach, in the usual order: who may not
 * trade any more opens nothing afterwards.
 */
export const BREACH_ACTIONS = {
  disableTrading: 'Disable trading',
  closePositions: 'Close all positions',
  moveToGroup: 'Move to a group',
} as const;
export type BreachActionWord = keyof typeof BREACH_ACTIONS;

/**
 * waiting: to be done, or tried again. escalated: a person has to look. dry-run: it would have been
 * done. stopped: its tracker was deleted, its enrolment withdrawn or its breach revised before
 * that.
 */
export const BREACH_ACTION_STATES = [
  'waiting',
  'running',
  'done',
  'escalated',
  'dry-run',
  'stopped',
] as const;
export type BreachActionState = (typeof BREACH_ACTION_STATES)[number];

/** What a provisioning profile may allow; `actAtBreach`: what else is allowed, at a breach too. */
export const PROFILE_ACTIONS = [
  'disableTrading',
  'enableTrading',
  'moveToGroup',
  'changeLeverage',
  'setPassword',
  'balanceOperation',
  'closePositions',
  'actAtBreach',
] as const;
export type ProfileAction = (typeof PROFILE_ACTIONS)[number];

// Each action of a breach needs the right of the same name.
true satisfies BreachActionWord extends ProfileAction ? true : false;

/**
 * Actions on the account's platform at a breach, in the usual order: once trading is disabled,
 * nothing more is opened.
 */
export const BREACH_ACTIONS = {
  disableTrading: 'Disable trading',
  closePositions: 'Close all positions',
  moveToGroup: 'Move to a group',
  enableTrading: 'Enable trading',
} as const;
export type BreachActionWord = keyof typeof BREACH_ACTIONS;

/** What starts an action. */
export const ACTION_MOMENTS = {
  breach: 'When the limit is broken',
  warning: 'At the warning before',
  revision: 'When later facts remove the breach',
  reset: 'At the next reset after the breach',
  passing: 'When the phase is passed',
} as const;
export type ActionMoment = keyof typeof ACTION_MOMENTS;

/** What an action at a broken limit waits for. */
export const ACTION_CONFIRMATIONS = {
  platform: 'Once the platform shows the breach, too',
  person: 'Once a person confirms it',
  none: 'At once',
} as const;
export type ActionConfirmation = keyof typeof ACTION_CONFIRMATIONS;

/**
 * waiting: to be done or retried. escalated: needs a person. dry-run: it would have been done.
 * stopped: its account, profile, tracker or enrolment went, or its breach was revised, before that.
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

/** Rights of a provisioning profile; `actAtBreach` allows the others at a breach, too. */
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

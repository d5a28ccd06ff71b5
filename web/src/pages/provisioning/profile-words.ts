import type { ProfileRecord } from '../../../../src/contract/operations/profiles.ts';
import { PLATFORMS } from '../../../../src/words/accounts.ts';
import { wordsOf } from '../../../../src/words/words-of.ts';

export const KINDS = [
  {
    kind: 'simulated',
    title: 'Simulated',
    platforms: PLATFORMS,
    hint: 'A simulated platform for trying things out. It needs nothing else.',
  },
  {
    kind: 'p5-web-api',
    title: 'MetaTrader 5 Web API',
    platforms: ['p5'],
    hint: 'The access server of a MetaTrader 5 platform, with a manager account that may use its Web API.',
  },
  {
    kind: 'p4-bridge',
    title: 'MetaTrader 4 bridge',
    platforms: ['p4'],
    hint: 'A program beside the manager library of a MetaTrader 4 server: see the documents.',
  },
] as const;

export type Kind = (typeof KINDS)[number]['kind'];
export type Platform = ProfileRecord['platform'];

export const titleOfKind = (kind: Kind): string =>
  KINDS.find((each) => each.kind === kind)?.title ?? kind;

export type AllowedAction = ProfileRecord['allowedActions'][number];

/** The rights of a profile, ordered by their effect on a trader. */
const WORDS: Record<AllowedAction, { title: string; hint: string }> = {
  enableTrading: { title: 'Enable trading', hint: 'again, after it was disabled' },
  disableTrading: { title: 'Disable trading', hint: 'of an account' },
  closePositions: { title: 'Close positions', hint: 'and remove pending orders' },
  moveToGroup: { title: 'Move to a group', hint: 'with the conditions of that group' },
  changeLeverage: { title: 'Change leverage', hint: 'of an account' },
  setPassword: { title: 'Set passwords', hint: 'of an account' },
  balanceOperation: { title: 'Book balance operations', hint: 'which moves money' },
  actAtBreach: {
    title: 'Act at breaches',
    hint: 'a broken limit may use the other rights, if its tracker says so',
  },
};

export const RIGHTS = wordsOf(WORDS).map((action) => ({ action, ...WORDS[action] }));

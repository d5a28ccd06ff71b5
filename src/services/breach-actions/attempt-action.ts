import { findNumbered } from '../../storage/account-store.ts';
import { type BreachAction, readSwitch } from '../../storage/breach-action-store.ts';
import { findProfile, type Profile } from '../../storage/profile-store.ts';
import { hasTrackerActions } from '../../storage/tracker-action-store.ts';
import type { Principal } from '../context.ts';
import { ServiceError } from '../errors.ts';
import { runOperation } from '../platform-accounts/run-operation.ts';
import { type PlatformContext, usePlatform } from '../platform-accounts/use-platform.ts';
import { rightsFor } from './action-rights.ts';
import { effectOf, type PlatformEffect } from './platform-effect.ts';

const STOPPED = 'The tracker was deleted, or the enrolment withdrawn, before this was done';

/** held back: the switch was turned off meanwhile, nothing was tried. */
export type AttemptOutcome = {
  word: 'done' | 'escalated' | 'dry-run' | 'stopped' | 'again' | 'held back';
  message: string;
};

/**
 * One attempt at an action that this process holds. The platform is asked first whether the effect is
 * there, so an attempt whose answer was lost, or whose process died, is not repeated; and asked again
 * afterwards, so that done is what the platform says. Throws what is no fault of the platform's.
 */
export async function attemptAction(
  context: PlatformContext,
  action: BreachAction,
): Promise<AttemptOutcome> {
  const { database } = context;
  const [account] = await findNumbered(database, [action.accountNumber]);
  if (!account || !(await hasTrackerActions(database, action.accountNumber, action.trackerId))) {
    return { word: 'stopped', message: STOPPED };
  }
  const profile = account.profileId ? await findProfile(database, account.profileId) : undefined;
  if (!profile) {
    return escalated('The account is not bound to a provisioning profile: bind it, then retry');
  }
  const effect = effectOf(action, Number(account.login));
  try {
    return await bringAbout(context, action, profile, Number(account.login), effect);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return error.code === 'unavailable'
      ? { word: 'again', message: error.message }
      : escalated(faultOf(error));
  }
}

async function bringAbout(
  context: PlatformContext,
  action: BreachAction,
  profile: Profile,
  login: number,
  effect: PlatformEffect,
): Promise<AttemptOutcome> {
  const isThere = (): Promise<boolean> =>
    usePlatform(context, profile, (gateway) => effect.isThere(gateway));
  const done = { word: 'done', message: effect.words } as const;
  if (action.isDryRun) {
    const message = (await isThere())
      ? `Dry run: nothing would be done. ${effect.words}`
      : `Dry run: ${action.action} would be done now`;
    return { word: 'dry-run', message };
  }
  const missing = rightsFor(action.action).filter((each) => !profile.allowedActions.includes(each));
  if (missing.length > 0) {
    return escalated(
      `The provisioning profile does not allow ${missing.join(', ')}: ` +
        'add it to its allowedActions, then retry',
    );
  }
  if (await isThere()) return done;
  if (!(await readSwitch(context.database))) return { word: 'held back', message: 'Switched off' };
  const { kind, input } = effect;
  const { refused } = await runOperation(
    context,
    principalOf(action),
    {
      ...{ kind, profile, login, input, takesOver: true },
      idempotencyKey: `breach-action ${action.id}`,
      details: { ...input, breachActionId: action.id, trackerId: action.trackerId },
    },
    { run: (gateway) => effect.bringAbout(gateway), note: (outcome) => outcome, isKept: false },
  );
  if (await isThere()) return done;
  return { word: 'again', message: refused ?? 'The platform accepted it, but shows no effect yet' };
}

const escalated = (message: string): AttemptOutcome => ({ word: 'escalated', message });

/** The owner, whose right was checked when the tracker or enrolment was made. */
const principalOf = ({ userId }: BreachAction): Principal => ({
  ...{ userId, tokenId: 'breach-action', scopes: new Set(['write'] as const) },
  accountIds: undefined,
});

const faultOf = ({ message, details }: ServiceError): string => {
  const [fault] = details ?? [];
  return fault && 'message' in fault ? `The platform refused it: ${fault.message}` : message;
};

import { HeldUp } from '../../claims/claims.ts';
import { rightsFor } from '../../services/breach-actions/action-rights.ts';
import type { Principal } from '../../services/context.ts';
import { ServiceError, unavailable } from '../../services/errors.ts';
import { giveUpOperation } from '../../services/platform-accounts/operation-record.ts';
import { runOperation } from '../../services/platform-accounts/run-operation.ts';
import {
  type PlatformContext,
  usePlatform,
} from '../../services/platform-accounts/use-platform.ts';
import {
  type BreachAction,
  noteSeen,
  readActionStanding,
} from '../../storage/breach-action-store.ts';
import type { Claim } from '../../storage/claim-store.ts';
import { findProfile, type Profile } from '../../storage/profile-store.ts';
import { obstacleOf, seeAccount } from './confirm-breach.ts';
import { effectOf, type PlatformEffect } from './platform-effect.ts';

/** held back: the switch was turned off since, so nothing was tried. */
export type AttemptOutcome = {
  word: 'done' | 'escalated' | 'dry-run' | 'stopped' | 'again' | 'held back';
  message: string;
  /** The platform showed its effect before a request was begun. */
  isFound?: boolean;
};

/** An action whose account this process has claimed. */
export type HeldAction = {
  action: BreachAction;
  /** As they were when it was due; undefined if the account is gone. */
  accountId: string | undefined;
  login: string | undefined;
  claim: Claim;
  /** Another process has tried it, or this one before. */
  isAgain: boolean;
};
/** The platform and login of the action. */
type Target = { profile: Profile; login: number };

/** An action must not be done, or not now. */
class Halted extends ServiceError {
  readonly outcome: AttemptOutcome;
  constructor(word: AttemptOutcome['word'], message: string) {
    super('conflict', message);
    this.outcome = { word, message };
  }
}

/**
 * One attempt at an action that this process holds. The platform is first asked whether the effect
 * exists, so an attempt whose answer was lost, or whose process died, is not repeated; it is asked
 * again afterwards, so only the platform decides what counts as done. Throws all errors except the
 * platform's.
 */
export async function attemptAction(
  context: PlatformContext,
  held: HeldAction,
): Promise<AttemptOutcome> {
  try {
    const target = await targetOf(context, held);
    return await bringAbout(context, held, target, effectOf(held.action, target.login));
  } catch (error) {
    if (error instanceof Halted) return error.outcome;
    if (!(error instanceof ServiceError)) throw error;
    return error.code === 'unavailable'
      ? { word: 'again', message: error.message }
      : { word: 'escalated', message: faultOf(error) };
  }
}

/** The platform and login of the action now. Throws Halted if it must not be done. */
async function targetOf(
  { database }: PlatformContext,
  { action, claim }: HeldAction,
): Promise<Target> {
  const standing = await readActionStanding(database, action, claim);
  const { isHeld, isSwitchedOn, isWanted, login, profileId } = standing;
  if (!isHeld) throw new Halted('again', 'Another process has taken this up');
  if (login === undefined || !isWanted) {
    const words =
      'The tracker was deleted, the enrolment withdrawn or reinstated, or the breach revised, before this was done';
    throw new Halted('stopped', words);
  }
  if (!isSwitchedOn) throw new Halted('held back', 'Switched off');
  const profile = profileId === undefined ? undefined : await findProfile(database, profileId);
  if (!profile) {
    const words = 'The account is not bound to a provisioning profile: bind it, then retry';
    throw new Halted('escalated', words);
  }
  const needed = action.isDryRun ? [] : rightsFor(action.action);
  const missing = needed.filter((each) => !profile.allowedActions.includes(each));
  if (missing.length > 0) {
    throw new Halted(
      'escalated',
      `The provisioning profile does not allow ${missing.join(', ')}: ` +
        'add it to its allowedActions, then retry',
    );
  }
  return { profile, login: Number(login) };
}

/** Like the above, valid for the next moment. Throws `unavailable` if this process was held up. */
async function freshTarget(context: PlatformContext, held: HeldAction): Promise<Target> {
  try {
    return await context.claims.fresh(() => targetOf(context, held));
  } catch (error) {
    if (!(error instanceof HeldUp)) throw error;
    throw unavailable(`${error.message}: it is tried again`, 1);
  }
}

async function bringAbout(
  context: PlatformContext,
  held: HeldAction,
  { profile, login }: Target,
  effect: PlatformEffect,
): Promise<AttemptOutcome> {
  const { action, isAgain } = held;
  const isThere = (): Promise<boolean> =>
    usePlatform(context, profile, (gateway) => effect.isThere(gateway));
  const done = { word: 'done', message: effect.words } as const;
  const seen = await seeAccount(context, action, { profile, login });
  if (seen) await context.changes.record((tx) => noteSeen(tx, action, seen));
  const obstacle = obstacleOf(action, seen);
  if (action.isDryRun) {
    const message = (await isThere())
      ? `Dry run: nothing would be done. ${effect.words}`
      : `Dry run: ${obstacle ?? `${action.action} would be done now`}`;
    return { word: 'dry-run', message };
  }
  const idempotencyKey = `breach-action ${action.id}`;
  const isBegun = isAgain && (await giveUpOperation(context, profile, idempotencyKey));
  if (await isThere()) return { ...done, isFound: !isBegun };
  if (obstacle !== undefined) return { word: 'escalated', message: obstacle };
  // The platform may have been slow, or this process paused: much may have changed.
  const requireStill = async (): Promise<void> => {
    const now = await freshTarget(context, held);
    if (now.profile.id !== profile.id || now.login !== login)
      throw new Halted('again', 'The account was bound to another login');
  };
  const { kind, input } = effect;
  const { refused } = await runOperation(
    context,
    principalOf(action),
    {
      ...{ kind, profile, login, input, takesOver: true },
      idempotencyKey,
      details: { ...input, breachActionId: action.id, trackerId: action.trackerId },
    },
    {
      run: (gateway) => effect.bringAbout(gateway, requireStill),
      note: (outcome) => outcome,
      isKept: false,
    },
  );
  if (await isThere()) return done;
  return { word: 'again', message: refused ?? 'The platform accepted it, but shows no effect yet' };
}

/** The owner, whose rights were checked when the tracker or enrolment was created. */
const principalOf = ({ userId }: BreachAction): Principal => ({
  ...{ userId, tokenId: 'breach-action', scopes: new Set(['write'] as const) },
  accountNumbers: undefined,
});

const faultOf = ({ message, details }: ServiceError): string => {
  const [fault] = details ?? [];
  return fault && 'message' in fault ? `The platform refused it: ${fault.message}` : message;
};

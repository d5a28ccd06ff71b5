import { DAY_MS } from '../../domain/broker-time.ts';
import { findEventMail, writeEventMail } from '../../storage/event-mail-store.ts';
import { readLastNumber } from '../../storage/event-number-store.ts';
import type { EventKind } from '../../words/events.ts';
import type { MailTiming } from '../../words/service.ts';
import { actorOf } from '../changes.ts';
import { type Context, type Principal, wholeUserOf } from '../context.ts';

export type EventMailChoice = { breaches: MailTiming; warnings: MailTiming };

/** The caller's settings of event mails. Throws `forbidden` for a token of only some accounts. */
export async function readEventMail(
  { database }: Context,
  principal: Principal,
): Promise<EventMailChoice> {
  const found = await findEventMail(database, ownerOf(principal));
  const { breaches = 'off', warnings = 'off' } = found ?? {};
  return { breaches, warnings };
}

/**
 * Sets the mailing of events to the caller from now on; absent fields stay unchanged. Throws
 * `forbidden` like readEventMail.
 */
export async function setEventMail(
  { changes, now }: Context,
  principal: Principal,
  change: Partial<EventMailChoice>,
): Promise<void> {
  const userId = ownerOf(principal);
  await changes.make(actorOf(principal), async (tx) => {
    await tx.lock(eventMailLock(userId));
    const before = await findEventMail(tx, userId);
    const { breaches = 'off', warnings = 'off' } = before ?? {};
    const choice = {
      breaches: change.breaches ?? breaches,
      warnings: change.warnings ?? warnings,
    };
    if (breaches === choice.breaches && warnings === choice.warnings) {
      return { result: undefined, audit: 'unchanged' };
    }
    const last = await readLastNumber(tx);
    // What was mailed in any way continues from its place; what was off begins now.
    await writeEventMail(tx, {
      ...{ userId, ...choice },
      breachesNumber: before && breaches !== 'off' ? before.breachesNumber : last,
      warningsNumber: before && warnings !== 'off' ? before.warningsNumber : last,
      immediateDueMs: before?.immediateDueMs ?? 0,
      digestDueMs:
        before && (breaches === 'digest' || warnings === 'digest')
          ? before.digestDueMs
          : nextMidnight(now()),
    });
    return {
      result: undefined,
      audit: [{ action: 'event-mail.changed', userId, details: { ...choice } }],
    };
  });
}

/** Held while changing a user's event mails, or their progress. */
export const eventMailLock = (userId: string): string => `event-mail:${userId}`;

export const nextMidnight = (nowMs: number): number => (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS;

/** The kinds of events of each choice. */
export const MAILED_KINDS: Record<keyof EventMailChoice, readonly EventKind[]> = {
  breaches: ['drawdown'],
  warnings: ['warning', 'silence', 'clockOff', 'clockRight', 'unwatched'],
};

/** Mails are about all the user's accounts, so a token restricted to some must not change them. */
const ownerOf = (principal: Principal): string => wholeUserOf(principal, 'have events mailed');

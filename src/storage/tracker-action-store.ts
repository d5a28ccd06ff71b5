import type { TrackerAction } from '../domain/live/tracker-definition.ts';
import type { Transaction } from './database.ts';

/** Stores the actions that a breach of a tracker or of an enrolment's rule starts. */
export async function insertTrackerActions(
  tx: Transaction,
  accountNumber: number,
  trackerId: string,
  actions: readonly TrackerAction[],
): Promise<void> {
  for (const [place, { action, group, dryRun, moment, confirm }] of actions.entries()) {
    await tx.run(
      `insert into tracker_action
         (account_number, tracker_id, place, action, group_name, is_dry_run, moment, confirm)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        ...[accountNumber, trackerId, place, action, group ?? null],
        ...[dryRun ? 1 : 0, moment ?? 'breach', confirm ?? 'platform'],
      ],
    );
  }
}

/** Ends the tracker's actions: those that a breach would start, and those not done yet. */
export async function deleteTrackerActions(
  tx: Transaction,
  accountNumber: number,
  trackerId: string,
): Promise<void> {
  await tx.run('delete from tracker_action where account_number = $1 and tracker_id = $2', [
    accountNumber,
    trackerId,
  ]);
}

/** Whether an event is of a kind that starts actions of a moment; no subject has both kinds. */
export const startsThose = (kind: string, moment: string): string =>
  `case when ${moment} in ('breach', 'reset', 'passing') then ${kind} in ('drawdown', 'enrolment')
     else ${kind} = ${moment} end`;

import type { EnrolmentTransition } from '../../domain/programs/enrolment-transition.ts';
import type { Sql } from '../../storage/database.ts';
import { readNumberedTransitions, type StoredTransition } from '../../storage/transition-store.ts';

type State = EnrolmentTransition['to'];
export type Changed = Pick<StoredTransition, 'transition'>;

/** The changes of an account's enrolments, by enrolment, oldest first. */
export async function transitionsOf(
  sql: Sql,
  accountNumber: number,
): Promise<Map<string, StoredTransition[]>> {
  const stored = await readNumberedTransitions(sql, accountNumber);
  return Map.groupBy(stored, ({ transition }) => transition.enrolmentId);
}

/** The state after an enrolment's changes; at first it is running. */
export const enrolmentStateOf = (changes: readonly Changed[] = []): State =>
  changes.at(-1)?.transition.to ?? 'running';

export const isOver = (state: State): boolean => state !== 'running' && state !== 'paused';

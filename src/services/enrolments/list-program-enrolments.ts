import type { ProgramEnrolmentRecord } from '../../contract/operations/enrolments.ts';
import { moneyDigits } from '../../domain/money.ts';
import type { EnrolmentProgress } from '../../domain/programs/enrolment-records.ts';
import type { LiveReader } from '../../engine/live-reader.ts';
import { listProgramEnrolments, type StoredEnrolment } from '../../storage/enrolment-store.ts';
import { readTransitions } from '../../storage/transition-store.ts';
import { type Context, type Principal, userOf } from '../context.ts';
import { readPageRows } from '../overview/page-rows.ts';
import { presentAge, standingStateOf } from '../overview/standing.ts';
import { ownProgram } from '../programs/manage-programs.ts';
import { presentEnrolment } from './present-enrolment.ts';
import { enrolmentStandingOf } from './read-enrolments.ts';

/**
 * A page of a program's enrolments that the token reaches, newest first, with the progress
 * available to LiveReader. Throws `notFound`.
 */
export async function readProgramEnrolments(
  context: Context & { live: LiveReader },
  principal: Principal,
  programId: string,
  page: { limit: number; offset: number },
): Promise<{ total: number; enrolments: ProgramEnrolmentRecord[] }> {
  const { database } = context;
  await ownProgram(database, userOf(principal), programId);
  const { accountNumbers } = principal;
  const { total, enrolments } = await listProgramEnrolments(
    database,
    programId,
    accountNumbers,
    page,
  );
  const numbers = [...new Set(enrolments.map(({ accountNumber }) => accountNumber))];
  const rows = new Map(
    (await readPageRows(context, numbers)).map((row) => [row.account.number, row]),
  );
  // First: once an enrolment has no progress, its end is stored.
  const progress = await progressOf(context.live, enrolments);
  const changes = Map.groupBy(
    (await readTransitions(database, numbers)).map((transition) => ({ transition })),
    ({ transition }) => transition.enrolmentId,
  );
  const nowMs = context.now();
  const presented = enrolments.flatMap((enrolment): ProgramEnrolmentRecord[] => {
    const row = rows.get(enrolment.accountNumber);
    // Deleted between two reads.
    if (!row) return [];
    const { id, name, currency } = row.account;
    const own = changes.get(enrolment.definition.id) ?? [];
    const account = {
      ...{ id, name, currency, state: standingStateOf(row.account, row.standing, nowMs) },
      ...presentAge(row.standing, nowMs),
    };
    const digits = moneyDigits(currency);
    const its = progress.get(enrolment.definition.id);
    const { rules, objectives } = enrolmentStandingOf(enrolment, own, its, digits);
    return [{ ...presentEnrolment(enrolment, own, digits, its), rules, objectives, account }];
  });
  return { total, enrolments: presented };
}

/** The progress of active ones. Each account is read once, one after another. */
async function progressOf(
  live: LiveReader,
  enrolments: readonly StoredEnrolment[],
): Promise<Map<string, EnrolmentProgress>> {
  const found = new Map<string, EnrolmentProgress>();
  for (const [number, own] of Map.groupBy(enrolments, (each) => each.accountNumber)) {
    const ids = own.map(({ definition }) => definition.id);
    const read = await live.read(number, false, (view) =>
      ids.flatMap((id) => view.enrolmentProgress(id) ?? []),
    );
    for (const progress of read ?? []) found.set(progress.enrolmentId, progress);
  }
  return found;
}

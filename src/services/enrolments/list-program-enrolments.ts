import type { ProgramEnrolmentRecord } from '../../contract/operations/enrolments.ts';
import { moneyDigits } from '../../domain/money.ts';
import { listProgramEnrolments } from '../../storage/enrolment-store.ts';
import { readChanges } from '../../storage/event-store.ts';
import { type Context, type Principal, userOf } from '../context.ts';
import { readPageRows } from '../overview/page-rows.ts';
import { stateOf as accountStateOf } from '../overview/standing.ts';
import { ownProgram } from '../programs/manage-programs.ts';
import { presentEnrolment } from './present-enrolment.ts';

/** A page of the enrolments in a program that the token reaches, newest first. Throws `notFound`. */
export async function readProgramEnrolments(
  context: Context,
  principal: Principal,
  programId: string,
  page: { limit: number; offset: number },
): Promise<{ total: number; enrolments: ProgramEnrolmentRecord[] }> {
  const { database } = context;
  await ownProgram(database, userOf(principal), programId);
  const { accountIds } = principal;
  const { total, enrolments } = await listProgramEnrolments(database, programId, accountIds, page);
  const numbers = [...new Set(enrolments.map(({ accountNumber }) => accountNumber))];
  const rows = new Map(
    (await readPageRows(context, numbers)).map((row) => [row.account.number, row]),
  );
  const changes = Map.groupBy(
    (await readChanges(database, numbers)).map((transition) => ({ transition })),
    ({ transition }) => transition.enrolmentId,
  );
  const nowMs = context.now();
  const presented = enrolments.flatMap((enrolment): ProgramEnrolmentRecord[] => {
    const row = rows.get(enrolment.accountNumber);
    // Deleted between two reads.
    if (!row) return [];
    const { id, name, currency } = row.account;
    const { lastUtcMs } = row.standing;
    const own = changes.get(enrolment.definition.id) ?? [];
    const account = {
      ...{ id, name, currency, state: accountStateOf(row.account, row.standing, nowMs) },
      ...(lastUtcMs === undefined ? {} : { ageSeconds: (nowMs - lastUtcMs) / 1000 }),
    };
    return [{ ...presentEnrolment(enrolment, own, moneyDigits(currency)), account }];
  });
  return { total, enrolments: presented };
}

import type { EnrolmentPreviewRecord, NewEnrolment } from '../../contract/operations/enrolments.ts';
import { formatBrokerTime } from '../../domain/broker-time.ts';
import { moneyDigits } from '../../domain/money.ts';
import { objectivesProgress } from '../../domain/programs/enrolment-records.ts';
import type { LiveReader } from '../../engine/live-reader.ts';
import { replayEnrolment } from '../../engine/replay-enrolment.ts';
import { accessAccount } from '../accounts/access-account.ts';
import type { Context, Principal } from '../context.ts';
import { previewSource } from '../trackers/preview-source.ts';
import { defineEnrolment } from './define-enrolment.ts';
import {
  presentFigures,
  presentObjective,
  presentPayout,
  presentRule,
  presentViolations,
} from './present-enrolment.ts';

/**
 * The course that the account would have taken in a phase, by its stored hours and deals; without
 * snapshots, by the balances that the deals made. Nothing is stored. Throws like createEnrolment.
 */
export async function previewEnrolment(
  context: Context & { live: LiveReader },
  principal: Principal,
  accountId: string,
  input: NewEnrolment,
): Promise<EnrolmentPreviewRecord> {
  const account = await accessAccount(context, principal, accountId);
  const { definition } = await defineEnrolment(context, principal, account, input);
  const { database, rules } = context;
  // A journal without a deposit is taken to begin with the money that the rules are for.
  const seen = await previewSource(context, account.number, definition.initialBalance);
  if (!seen) return { state: 'running', rules: [], objectives: [] };
  const { source, firstMs = source.account.hourStartMs, lastTimeMs, seenBy } = seen;
  const { startTimeMs = firstMs } = definition;
  const fromMs = Math.max(startTimeMs, firstMs);
  // No simulation with other money: the enrolment begins there.
  const begun = { ...definition, startTimeMs: fromMs };
  const { end, progress } = await replayEnrolment(database, source, begun, fromMs, rules);
  const digits = moneyDigits(account.currency);
  const figures = end?.figures ?? progress?.figures;
  const objectives = figures ? objectivesProgress(definition, figures) : [];
  return {
    startBrokerTime: formatBrokerTime(fromMs),
    endBrokerTime: formatBrokerTime(lastTimeMs),
    seenBy,
    state: end?.to ?? 'running',
    ...(end ? { brokerTime: formatBrokerTime(end.timeMs) } : {}),
    ...(end?.rule === undefined ? {} : { rule: end.rule }),
    ...(figures ? { figures: presentFigures(figures, digits) } : {}),
    rules: (progress?.rules ?? []).map((rule) => presentRule(rule, digits)),
    objectives: objectives.map((objective) => presentObjective(objective, digits)),
    ...presentPayout(progress?.payout, digits),
    ...presentViolations(
      end?.violation ? [end.violation] : progress?.violations,
      definition.phase.rules,
      digits,
    ),
  };
}

import type { EnrolmentPreviewRecord, NewEnrolment } from '../../contract/operations/enrolments.ts';
import { type BrokerTimeMs, DAY_MS, formatBrokerTime } from '../../domain/broker-time.ts';
import { FoldEffects } from '../../domain/live/fold-effects.ts';
import { LiveAccount } from '../../domain/live/live-account.ts';
import { known } from '../../domain/live/number-rows.ts';
import { moneyDigits } from '../../domain/money.ts';
import { addEnrolment } from '../../domain/programs/enrolment-changes.ts';
import { enrolmentProgress, objectivesProgress } from '../../domain/programs/enrolment-records.ts';
import type { EnrolmentDefinition } from '../../domain/programs/program-definition.ts';
import type { LiveReader } from '../../engine/live-reader.ts';
import { findDealHistory, replayDeals } from '../../engine/replay-deals.ts';
import { type ReplayedEnrolment, replayEnrolment } from '../../engine/replay-enrolment.ts';
import type { SeedSource } from '../../engine/seed-tracker.ts';
import { accessAccount } from '../accounts/access-account.ts';
import type { Context, Principal } from '../context.ts';
import { firstHour, MAX_PREVIEW_DAYS } from '../trackers/preview-tracker.ts';
import { defineEnrolment } from './define-enrolment.ts';
import {
  presentFigures,
  presentObjective,
  presentPayout,
  presentRule,
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
  const { database, rules, live } = context;
  const source = await live.seedSource(account.number);
  const lastTimeMs = source && known(source.account.lastTimeMs);
  if (!source) return { state: 'running', rules: [], objectives: [] };
  const digits = moneyDigits(account.currency);
  if (lastTimeMs === undefined) return await previewByDeals(context, source, definition, digits);
  const sinceMs = lastTimeMs - MAX_PREVIEW_DAYS * DAY_MS;
  const firstMs = (await firstHour(database, source, sinceMs)) ?? source.account.hourStartMs;
  const { startTimeMs = firstMs } = definition;
  const fromMs = Math.max(startTimeMs, firstMs);
  // No simulation with other money: the enrolment begins there.
  const begun = { ...definition, startTimeMs: fromMs };
  const replayed = await replayEnrolment(database, source, begun, fromMs, rules);
  return {
    ...presentPreview([fromMs, lastTimeMs], definition, replayed, digits),
    seenBy: 'snapshots',
  };
}

/** The course by the balances that deals made, for an account that never had a snapshot. */
async function previewByDeals(
  { database, rules }: Context,
  source: SeedSource,
  definition: EnrolmentDefinition,
  digits: number,
): Promise<EnrolmentPreviewRecord> {
  const range = { backMs: MAX_PREVIEW_DAYS * DAY_MS, sinceMs: definition.startTimeMs };
  const history = await findDealHistory(database, source.accountNumber, range);
  if (!history) return { state: 'running', rules: [], objectives: [] };
  const account = new LiveAccount(source.account.id, source.account.clock);
  const effects = new FoldEffects();
  const begun = { ...definition, startTimeMs: history.firstMs };
  const enrolment = addEnrolment(account, begun, rules);
  // A journal names no deposit: then the balance is taken to be the one that the rules are for.
  const opening = history.opening ?? { balance: definition.initialBalance, credit: 0 };
  await replayDeals(database, source, { ...history, opening }, account, effects);
  const [end] = effects.transitions;
  const progress = end ? undefined : enrolmentProgress(account, enrolment);
  return {
    ...presentPreview([history.firstMs, history.lastMs], definition, { end, progress }, digits),
    seenBy: 'deals',
  };
}

function presentPreview(
  [fromMs, lastTimeMs]: [BrokerTimeMs, BrokerTimeMs],
  definition: EnrolmentDefinition,
  { end, progress }: ReplayedEnrolment,
  digits: number,
): EnrolmentPreviewRecord {
  const figures = end?.figures ?? progress?.figures;
  const objectives = figures ? objectivesProgress(definition, figures) : [];
  return {
    startBrokerTime: formatBrokerTime(fromMs),
    endBrokerTime: formatBrokerTime(lastTimeMs),
    state: end?.to ?? 'running',
    ...(end ? { brokerTime: formatBrokerTime(end.timeMs) } : {}),
    ...(end?.rule === undefined ? {} : { rule: end.rule }),
    ...(figures ? { figures: presentFigures(figures, digits) } : {}),
    rules: (progress?.rules ?? []).map((rule) => presentRule(rule, digits)),
    objectives: objectives.map((objective) => presentObjective(objective, digits)),
    ...presentPayout(progress?.payout, digits),
  };
}

import type { TrackerDefinition } from '../../domain/live/tracker-definition.ts';
import { passingId, ruleTrackerId } from '../../domain/programs/phase-trackers.ts';
import type { EnrolmentDefinition } from '../../domain/programs/program-definition.ts';
import type { Sql } from '../../storage/database.ts';
import { readEnrolmentDefinitions } from '../../storage/enrolment-store.ts';
import { readDefinitions } from '../../storage/tracker-store.ts';
import { RULE_KINDS } from '../../words/programs.ts';

/** Names by tracker id. */
export type TrackerNames = ReadonlyMap<string, string>;

/**
 * The names of accounts' trackers, including deleted ones that are not folded yet. For a rule of an
 * enrolment, its phase and kind: `Phase 1: daily loss`; for its passing, `Phase 1: passed`.
 */
export async function readTrackerNames(
  sql: Sql,
  accountNumbers: readonly number[],
): Promise<TrackerNames> {
  const trackers = await readDefinitions(sql, accountNumbers);
  const enrolments = await readEnrolmentDefinitions(sql, accountNumbers);
  return trackerNames([...trackers.values()].flat(), [...enrolments.values()].flat());
}

export const trackerNames = (
  trackers: readonly Pick<TrackerDefinition, 'id' | 'name'>[],
  enrolments: readonly EnrolmentDefinition[],
): TrackerNames =>
  new Map([
    ...trackers.map(({ id, name }): [string, string] => [id, name]),
    ...enrolments.flatMap(({ id, phase }) =>
      phase.rules.map(({ kind }, index): [string, string] => [
        ruleTrackerId(id, index),
        `${phase.name}: ${RULE_KINDS[kind].toLowerCase()}`,
      ]),
    ),
    ...enrolments.map(({ id, phase }): [string, string] => [
      passingId(id),
      `${phase.name}: passed`,
    ]),
  ]);

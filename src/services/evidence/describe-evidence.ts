import type { CaseAnnex, CaseStatement } from '../../contract/operations/cases.ts';
import type { CheckedHead } from '../../domain/evidence/check-case.ts';

/** What a case says, from its bytes alone; `statement` and `annex` have known names only. */
export function describeCase(
  statement: CaseStatement,
  annex: CaseAnnex,
  checked: CheckedHead,
): string[] {
  const { event, accountId, login, broker, currency, sequenceNumber } = statement;
  const { measured, revised, decision, snapshots, deals, place, sealedAt } = statement;
  const { actions, entries, openPositions, generatedAt } = annex;
  const last = snapshots.at(-1);
  const lines = [
    `event ${sequenceNumber}: ${event.kind} of the account ${accountId}, login ${login} at ${broker}`,
    `its time: ${event.brokerTime} by the broker's clock`,
    `sealed at ${sealedAt} by the server's clock`,
    measured && `equation: ${measured.equation}, in ${currency}`,
    revised && `equation of the event that it revises: ${revised.equation}`,
    decision && `${'state' in event ? event.state : ''}: ${decision.reason}`,
    `snapshots: ${snapshots.length}; deals of the day before: ${deals.length}`,
    last &&
      `the last snapshot: balance ${last.balance}, equity ${last.equity}, at ${last.brokerTime}`,
    last && `received at ${last.receivedAt}`,
    `annex: ${actions.length} actions, ${entries.length} entries, ${openPositions.count} open positions`,
    `known at ${generatedAt}`,
    ...inTree(`place ${place}`, checked),
  ];
  return lines.filter((line) => line !== undefined);
}

/** What an export shows of its tree; `end`: the place of its last seal. */
export function describeExport(fromPlace: number, end: number, checked: CheckedHead): string[] {
  const shown = end < fromPlace ? 'no records' : `records ${fromPlace} to ${end}`;
  const least = Math.max(1, fromPlace - 1);
  return [...inTree(shown, checked), `one history with a given head of ${least} to ${end} records`];
}

const inTree = (what: string, { head: { origin, size, root } }: CheckedHead): string[] => [
  `${what} of ${size}`,
  `tree: ${origin}`,
  `its root: ${root.toString('base64')}`,
];

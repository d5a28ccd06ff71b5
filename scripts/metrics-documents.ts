import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { stringify } from 'yaml';
import { ALERT_RULES, METRICS } from './metrics/metrics.ts';

/*
 * Writes the documents made from the table of metrics (scripts/metrics/): the alert rules and the
 * tables of the documents. Run it after a change: node scripts/metrics-documents.ts
 */
const ROOT = resolve(import.meta.dirname, '..');
const OPERATIONS = 'docs/operations.md';
const ALERTS = 'deploy/alerts.yml';

const HEAD = `# Alert rules for Prometheus, made from scripts/metrics by scripts/metrics-documents.ts: change them
# there. They expect the job "plimsoll"; each process is one instance of it. \`npm test\` checks them
# with promtool. What to do about each: docs/operations.md.
`;

/** deploy/alerts.yml */
export function alertsFile(): string {
  const rules = ALERT_RULES.map(({ alert, expr, for: lasting, severity, ...annotations }) => ({
    ...{ alert, expr, ...(lasting === undefined ? {} : { for: lasting }) },
    ...{ labels: { severity }, annotations },
  }));
  return HEAD + stringify({ groups: [{ name: 'plimsoll', rules }] }, { lineWidth: 100 });
}

const row = (...cells: string[]): string => `| ${cells.join(' | ')} |`;

const metricsTable = (): string[] => [
  ...[row('name', 'type', 'what it shows', 'watch for'), '|---|---|---|---|'],
  ...Object.entries(METRICS).map(([name, { type, shows, watch = '' }]) =>
    row(`\`${name}\``, type, shows, watch),
  ),
];

const alertsTable = (): string[] => [
  ...[row('alert', 'severity', 'what it says', 'what to do'), '|---|---|---|---|'],
  ...ALERT_RULES.map(({ alert, severity, summary, description }) =>
    row(`\`${alert}\``, severity, summary.replaceAll(/\{\{.*?\}\}/g, '…'), description),
  ),
];

/** docs/operations.md with its tables as they follow from the metrics. */
export function operationsPage(text: string): string {
  const tables = { metrics: metricsTable(), alerts: alertsTable() };
  let page = text;
  for (const [name, lines] of Object.entries(tables)) {
    const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
    const [from, to] = [page.indexOf(begin), page.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`${OPERATIONS} lacks ${begin} or ${end}`);
    page = `${page.slice(0, from + begin.length)}\n${lines.join('\n')}\n${page.slice(to)}`;
  }
  return page;
}

if (import.meta.main) {
  writeFileSync(join(ROOT, ALERTS), alertsFile());
  const page = join(ROOT, OPERATIONS);
  writeFileSync(page, operationsPage(readFileSync(page, 'utf8')));
}

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { grafanaDashboard } from '../../scripts/grafana-dashboard.ts';
import { METRICS } from '../../scripts/metrics/metrics.ts';
import { alertsFile, operationsPage } from '../../scripts/metrics-documents.ts';
import { promtool } from '../../scripts/promtool.ts';
import { exampleOf } from '../docs/blocks.ts';
import { needs } from '../needs.ts';
import { startOn } from '../servers/plimsoll-process.ts';
import { metricsOf } from '../servers/server-metrics.ts';
import { ALERT_CASES, GOOD } from './alert-cases.ts';
import { DEPLOY, deployFile } from './files.ts';
import { firingAt, promtoolCheck } from './promtool-check.ts';

needs('server', 'promtool');

const REMAKE = 'node scripts/metrics-documents.ts makes them anew';
type Rule = { alert: string; expr: string };

const tool = promtool();
const skip =
  tool === undefined ? 'promtool is not installed; npm test fetches it on Debian' : false;
const rules = (parse(deployFile('alerts.yml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);
const queries = grafanaDashboard()
  .panels?.flatMap((panel) => ('targets' in panel ? (panel.targets ?? []) : []))
  .map((target) => String(target.expr));

describe('alert rules', () => {
  it('are understood by Prometheus', { skip }, () => {
    const args = ['check', 'rules', join(DEPLOY, 'alerts.yml')];
    const { status, stdout, stderr } = spawnSync(tool ?? '', args, { encoding: 'utf8' });
    assert.equal(status, 0, stdout + stderr);
  });

  it('are read by the settings that deploy/README.md shows', { skip }, () => {
    const shown = parse(exampleOf('deploy/README.md', 'rule_files')) as object;
    assert.equal(
      promtoolCheck('check config', { ...shown, rule_files: [join(DEPLOY, 'alerts.yml')] }),
      '',
    );
  });

  it('and the tables of the documents match the table of metrics', () => {
    assert.equal(deployFile('alerts.yml'), alertsFile(), REMAKE);
    const page = readFileSync(join(DEPLOY, '../docs/operations.md'), 'utf8');
    assert.equal(page, operationsPage(page), REMAKE);
  });

  it('have one firing case each', () => {
    assert.deepEqual(rules.map(({ alert }) => alert).sort(), Object.keys(ALERT_CASES).sort());
  });

  it('fire in their cases and nowhere else', { skip }, () => {
    const seriesOf = (values: Record<string, string>) =>
      Object.entries({ ...GOOD, ...values }).map(([series, value]) => ({ series, values: value }));
    const tests = [
      { name: 'all is well', series: {}, checks: [firingAt('10m', []), firingAt('8h', [])] },
      ...Object.entries(ALERT_CASES).map(([name, { series, before, after, also = [] }]) => ({
        name,
        series,
        checks: [firingAt(before, []), firingAt(after, [name, ...also].sort())],
      })),
    ];
    const content = {
      rule_files: [join(DEPLOY, 'alerts.yml')],
      // As often as the series have values; twice as often found nothing more in twice the time.
      evaluation_interval: '1m',
      tests: tests.map(({ name, series, checks }) => ({
        name,
        interval: '1m',
        input_series: seriesOf(series),
        promql_expr_test: checks,
      })),
    };
    assert.equal(promtoolCheck('test rules', content), '');
  });
});

describe('the Grafana dashboard', () => {
  it('matches its script', () => {
    assert.deepEqual(JSON.parse(deployFile('grafana-dashboard.json')), grafanaDashboard());
  });

  it('has only queries that Prometheus understands', { skip }, () => {
    assert.ok(queries && queries.length >= 16);
    const records = queries.map((query, index) => ({
      record: `panel:${index}`,
      expr: query.replaceAll('$__rate_interval', '5m').replaceAll('$job', 'plimsoll'),
    }));
    assert.equal(
      promtoolCheck('check rules', { groups: [{ name: 'panels', rules: records }] }),
      '',
    );
  });
});

describe('metrics used by rules and dashboard', () => {
  it('are measured by a server', async (t) => {
    const running = await startOn('sqlite', { LOG_LEVEL: 'fatal' });
    t.after(() => running.close());
    await fetch(`${running.server.address}/health/ready`);
    const text = await metricsOf(running.server.address);
    const types = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)];
    const known = new Set(
      types.flatMap(([, name = '', type]) =>
        type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name],
      ),
    );
    const asked = [...rules.map(({ expr }) => expr), ...(queries ?? [])].flatMap(
      (expr) => expr.match(/\b(?:plimsoll|nodejs|process)_\w+/g) ?? [],
    );
    assert.ok(new Set(asked).size >= 15);
    const own = types.map(([, name = '']) => name).filter((name) => name.startsWith('plimsoll_'));
    // Series of things that have not happened yet exist anyway.
    assert.deepEqual(own.sort(), Object.keys(METRICS).sort());
    for (const name of new Set(asked)) assert.ok(known.has(name), `/metrics has no ${name}`);
  });
});

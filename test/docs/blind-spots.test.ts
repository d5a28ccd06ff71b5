import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ALERT_RULES, METRICS } from '../../scripts/metrics/metrics.ts';
import { EVENT_KINDS } from '../../src/words/events.ts';
import { pageText, ROOT } from './blocks.ts';

/** So many causes at least, none of them silent for longer than a minute. */
const LEAST = 30;
const MOST_SECONDS = 60;

type Blind = { cause: string; shows: string; seconds: number; place: string };

const ROW = /^\| ([^*|].*?) \| (.*?) \| (\d+) \| \[[\w-]+\]\(\.\.\/(.*?)\) \|$/gm;
const rows: Blind[] = [...pageText('docs/blind-spots.md').matchAll(ROW)].map(
  ([, cause = '', shows = '', seconds, place = '']) => ({
    ...{ cause, shows, seconds: Number(seconds), place },
  }),
);

test('no cause of blindness is silent for longer than a minute', () => {
  assert.ok(rows.length >= LEAST, `${rows.length} causes`);
  assert.equal(new Set(rows.map(({ cause }) => cause)).size, rows.length);
  for (const { cause, seconds } of rows) assert.ok(seconds <= MOST_SECONDS, cause);
});

test('the signal of each cause exists, and a test causes it', () => {
  const alerts = new Set(ALERT_RULES.map(({ alert }) => alert));
  const kinds = new Set<string>(EVENT_KINDS);
  for (const { cause, shows, place } of rows) {
    assert.ok(existsSync(join(ROOT, place)), `${cause}: ${place}`);
    for (const [metric] of shows.matchAll(/plimsoll_\w+/g)) assert.ok(metric in METRICS, metric);
    for (const [alert] of shows.matchAll(/Plimsoll[A-Z]\w+/g)) assert.ok(alerts.has(alert), alert);
    for (const [, kind = ''] of shows.matchAll(/event `(\w+)`/g)) assert.ok(kinds.has(kind), kind);
  }
});

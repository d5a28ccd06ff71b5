import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { promtool } from '../../scripts/promtool.ts';

type What = 'check rules' | 'test rules' | 'check config';

/** Runs promtool on a temporary file; returns its objections. */
export function promtoolCheck(what: What, content: unknown): string {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-rules-'));
  const file = join(folder, 'rules.yml');
  writeFileSync(file, stringify(content));
  const { status, stdout, stderr } = spawnSync(promtool() ?? '', [...what.split(' '), file], {
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true });
  return status === 0 ? '' : stdout + stderr;
}

/** Expectations for promtool: these alerts fire at a time, and no others. */
export const firingAt = (time: string, names: readonly string[]) => ({
  expr: 'group by (alertname) (ALERTS{alertstate="firing"})',
  eval_time: time,
  exp_samples: names.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 })),
});

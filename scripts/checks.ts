import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { endWithUs } from '../test/servers/end-with-us.ts';
import { exitOf, fail, inWorkspace, ROOT, run } from './run-command.ts';

/** Format, lint, types, layers and licences, side by side: most of them use one core. */
export async function check(): Promise<void> {
  const bin = join(ROOT, 'node_modules/.bin');
  // First: the others read what it writes.
  await inWorkspace('generate', 'clients/typescript');
  await Promise.all([
    run(join(bin, 'tsc'), []),
    run(join(bin, 'biome'), ['check', '--error-on-warnings', '.']),
    run(process.execPath, [join(ROOT, 'scripts/check-layers.ts')]),
    run(process.execPath, [join(ROOT, 'scripts/check-licences.ts')]),
    inWorkspace('check', 'clients/typescript'),
    inWorkspace('check', 'web'),
  ]);
}

/**
 * Known faults of the packages that are shipped. Where the registry cannot be asked for them, it
 * says so; whoever releases must know, so `mustAnswer` fails then.
 */
export async function audit(mustAnswer = false): Promise<void> {
  const args = ['audit', '--omit=dev', '--audit-level=high', '--json', '--fetch-retries=0'];
  const npm = spawn('npm', args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'ignore'] });
  endWithUs(npm);
  const exited = exitOf(npm);
  const [stdout, status] = [await text(npm.stdout), await exited];
  const isReport = stdout.trimStart().startsWith('{');
  const report = JSON.parse(isReport ? stdout : '{}') as {
    vulnerabilities?: Record<string, unknown>;
  };
  if (!report.vulnerabilities) {
    const unasked = 'audit: not asked, the registry does not answer';
    if (mustAnswer) fail(`${unasked}: release from where it does`);
    console.log(unasked);
    return;
  }
  if (status !== 0)
    fail(`audit: known faults in ${Object.keys(report.vulnerabilities).join(', ')}`);
  console.log('audit: asked, no known fault of a shipped package is high or critical');
}

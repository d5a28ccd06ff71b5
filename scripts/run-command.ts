import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { endWithUs } from '../test/servers/end-with-us.ts';

export const ROOT = resolve(import.meta.dirname, '..');

/** Runs a command in the project's folder, and ends this process if it fails. */
export async function run(
  command: string,
  args: string[],
  environment: Record<string, string> = {},
): Promise<void> {
  const child = spawn(command, args, {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...environment },
  });
  endWithUs(child);
  const status = await exitOf(child);
  if (status !== 0) fail(`${command} ${args.join(' ')} failed`);
}

/** A script of a workspace's package.json. */
export const inWorkspace = (script: string, workspace: string): Promise<void> =>
  run('npm', ['run', script, '--workspace', workspace, '--silent']);

/** Its exit code; null where a signal ended it. Rejects where it can't be started. */
export function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('exit', resolve);
  });
}

export function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

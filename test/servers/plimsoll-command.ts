import { execFile } from 'node:child_process';
import { given } from '../needs.ts';
import { BARE_ENVIRONMENT, BIN } from './plimsoll-bin.ts';

export type CommandResult = { code: number; stdout: string; stderr: string };

/** Runs a plimsoll command as its users do, until it ends. */
export function runPlimsoll(
  args: string[],
  environment: Record<string, string>,
): Promise<CommandResult> {
  given('server');
  const env = { ...BARE_ENVIRONMENT, ...environment };
  const options = { env, maxBuffer: 64 * 1024 * 1024 };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [BIN, ...args], options, (error, stdout, stderr) => {
      const code = error ? error.code : 0;
      if (typeof code !== 'number') reject(error);
      else resolve({ code, stdout, stderr });
    });
  });
}

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CheckStamp } from '../services/evidence/verify-file.ts';

const WITHIN_MS = 20_000;

/**
 * Has openssl check that a token is of an authority whose certificate leads to one of a file, as of
 * the time that the token says: certificates end, what they signed stays. Throws Error if there is
 * no openssl.
 */
export const checkStampBy =
  (caFile: string): CheckStamp =>
  ({ token, digest, timeMs }) => {
    const folder = mkdtempSync(join(tmpdir(), 'plimsoll-stamp-'));
    try {
      const file = join(folder, 'token.der');
      writeFileSync(file, token);
      const run = spawnSync(
        'openssl',
        [
          ...['ts', '-verify', '-token_in', '-in', file, '-digest', digest.toString('hex')],
          ...['-CAfile', caFile, '-attime', String(Math.floor(timeMs / 1000))],
        ],
        { encoding: 'utf8', timeout: WITHIN_MS },
      );
      if (run.error)
        throw new Error('Install openssl, which checks time stamps', { cause: run.error });
      return run.status === 0;
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

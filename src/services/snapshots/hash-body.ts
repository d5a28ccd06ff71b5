import { createHash } from 'node:crypto';
import { nextTurn } from '../../domain/loop-turns.ts';

/** Bytes hashed before other work gets its turn: some milliseconds. */
const BYTES_PER_TURN = 1024 * 1024;

/** The hash that identifies a repeated body: SHA-256, in hexadecimal. */
export async function hashBody(body: Buffer): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < body.length; at += BYTES_PER_TURN) {
    if (at > 0) await nextTurn();
    hash.update(body.subarray(at, at + BYTES_PER_TURN));
  }
  return hash.digest('hex');
}

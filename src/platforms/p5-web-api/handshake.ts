import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * The challenge of the p5 Web API ("Authentication" in the platform's Web API help): both sides
 * prove that they know the manager's password, and the password itself never travels.
 *
 * H = MD5( MD5(password in UTF-16LE) ‖ "WebAPI" ); the proof for a random value: MD5( H ‖ value ).
 */
export function passwordKey(password: string): Buffer {
  return md5(md5(Buffer.from(password, 'utf16le')), Buffer.from('WebAPI', 'ascii'));
}

/** The proof for a random value given in hex, as 32 hex digits. */
export function proofOf(key: Buffer, randomHex: string): string {
  return md5(key, Buffer.from(randomHex, 'hex')).toString('hex');
}

/** Whether the other side's answer proves that it knows the key. */
export function provesKey(key: Buffer, randomHex: string, answerHex: string): boolean {
  const answer = Buffer.from(answerHex, 'hex');
  const expected = Buffer.from(proofOf(key, randomHex), 'hex');
  return answer.length === expected.length && timingSafeEqual(answer, expected);
}

// The protocol prescribes MD5; nothing here relies on it beyond that.
function md5(...parts: readonly Buffer[]): Buffer {
  const hash = createHash('md5');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

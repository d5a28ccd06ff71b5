import { randomBytes } from 'node:crypto';

const BYTES_EACH = 16;
const DRAWN_AT_ONCE = 256;

/**
 * Gives ids of 128 random bits. They are drawn by the hundred: singly they would be a twentieth of
 * the work for a small answer.
 */
export function requestIds(): () => string {
  let digits = '';
  let next = 0;
  return () => {
    if (next === digits.length) {
      digits = randomBytes(BYTES_EACH * DRAWN_AT_ONCE).toString('hex');
      next = 0;
    }
    const start = next;
    next += 2 * BYTES_EACH;
    return digits.slice(start, next);
  };
}

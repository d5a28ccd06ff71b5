import { createHash } from 'node:crypto';

/** Platforms cut comments of balance operations to this, an end-of-line character not counted. */
const MAX_COMMENT = 31;
const MARK_DIGITS = 12;

/**
 * The mark that a balance operation leaves in its comment, by which it is found again: 72 bits of a
 * hash, so that ids of any length and alphabet fit.
 */
export const operationMark = (requestId: string): string =>
  `#${createHash('sha256').update(requestId).digest('base64url').slice(0, MARK_DIGITS)}`;

/** A comment for the account's holder with the mark at its end. */
export function markedComment(comment: string | undefined, requestId: string): string {
  const mark = operationMark(requestId);
  // The p5 protocol uses = | \ as special characters.
  const text = (comment ?? '').replace(/[=|\\\p{Cc}]/gu, ' ').trim();
  const shown = text.slice(0, MAX_COMMENT - mark.length - 1);
  return shown === '' ? mark : `${shown} ${mark}`;
}

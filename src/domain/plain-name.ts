/** Alphabets with letters that look like those of another one. */
const ALPHABETS = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic', 'Lisu'].map(
  (script) => new RegExp(`\\p{Script=${script}}`, 'u'),
);
const WORD = /[\p{L}\p{M}]+/gu;
/** Marks that turn the direction of text or are not seen; the joiners are part of some scripts. */
const UNSEEN =
  /\u034F|[\p{Cc}\u2028\u2029\u115F\u1160\u2800\u3164\uFFA0]|(?![\u200C\u200D])\p{Cf}/u;
/** Marks that choose between forms of a sign or a Chinese letter; another letter has but one. */
const VARIED = /(?!\p{Script=Han})\p{L}[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]/u;
const JOINED = /[\u200C\u200D]/u;
/** Letters in the shape of others: wide, long, joined, numerals, of units and of mathematics. */
const SHAPED =
  /[\u017F\u2160-\u2188\uFF21-\uFF3A\uFF41-\uFF5A\uFB00-\uFB06\u{1D400}-\u{1D7FF}]|(?=\p{L})[\u2100-\u214F]/u;

/**
 * Whether a name can be told from another by its looks, as far as one can say without a table of
 * letters: each word has letters of one alphabet (Unicode Technical Standard 39, "single script"),
 * and nothing is unseen. A whole word in letters of another alphabet passes.
 */
export function isPlainName(text: string): boolean {
  if ([UNSEEN, VARIED, SHAPED].some((marks) => marks.test(text))) return false;
  const isInAlphabet = ALPHABETS.some((alphabet) => alphabet.test(text));
  if (isInAlphabet && JOINED.test(text)) return false;
  const words = text.normalize('NFC').match(WORD) ?? [];
  return words.every((word) => ALPHABETS.filter((alphabet) => alphabet.test(word)).length <= 1);
}

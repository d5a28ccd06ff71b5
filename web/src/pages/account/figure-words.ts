/** Parts of a figure's key that are not words by themselves. */
const WORDS: Record<string, string> = {
  pl: 'P/L',
  ahpr: 'AHPR',
  ghpr: 'GHPR',
  lr: 'LR',
  mfe: 'MFE',
  mae: 'MAE',
  z: 'Z',
  avg: 'average',
  min: 'least',
  max: 'most',
  corr: 'correlation of',
  pct: 'in percent',
};

/** A figure of a report by its key: `short_trades_pct` → `Short trades in percent`. */
export function figureWords(key: string): string {
  const plain = key.replace(/_paren$/, '');
  const words = plain.split('_').map((word) => WORDS[word] ?? word);
  // The figure that a report prints in brackets: the money of the longest streak, the length of the
  // richest.
  if (plain !== key) words.push(/^max_/.test(key) ? '(money)' : '(count)');
  const text = words.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const MOST = 20;
/** Of all labels, as typed. */
export const MAX_LABELS_LENGTH = 1100;

/** Typed labels, separated by commas: each once, without spaces around. */
export const readLabels = (text: string): string[] =>
  [...new Set(text.split(',').map((each) => each.trim()))].filter(Boolean);

export const labelText = (labels: readonly string[]): string => labels.join(', ');

/** Why they can't be saved, in words. */
export function labelFault(labels: readonly string[]): string | undefined {
  if (labels.length > MOST) return `An account has at most ${MOST} labels.`;
  const long = labels.find((label) => label.length > 50);
  return long === undefined ? undefined : `“${long.slice(0, 20)}…” is longer than 50 characters.`;
}

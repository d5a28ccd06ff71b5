import { parseStrictly } from '../../src/domain/evidence/canonical-json.ts';
import { seedOr } from '../seed.ts';

export type Fields = Record<string, unknown>;
type Change = { what: string; file: Fields };

/** Which bit of a byte is turned, where not all are. */
export const SEED = seedOr(20_261_129);

/** The bytes of a file with one other bit: some bits of each byte. */
export function* flippedBits(
  file: object,
  bitsOfByte: number,
): Generator<{ what: string; bytes: Uint8Array }> {
  const bytes = Buffer.from(JSON.stringify(file));
  for (let at = 0; at < bytes.length; at += 1) {
    for (let more = 0; more < bitsOfByte; more += 1) {
      const bit = (at * 5 + more + SEED) % 8;
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ (1 << bit);
      yield {
        what: `byte ${at}, bit ${bit}: ${changed.subarray(at - 20, at + 9)}`,
        bytes: changed,
      };
    }
  }
}

/** Everything that can be done to one part of JSON without a look at what it means. */
function* changesOf(value: unknown, at = ''): Generator<{ what: string; value: unknown }> {
  yield {
    what: `${at} emptied`,
    value: Array.isArray(value) ? [] : typeof value === 'object' ? {} : '',
  };
  yield { what: `${at} is null`, value: null };
  if (typeof value === 'number') yield { what: `${at} + 1`, value: value + 1 };
  if (typeof value === 'boolean') yield { what: `${at} turned`, value: !value };
  if (typeof value === 'string') yield { what: `${at} longer`, value: `${value} ` };
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    yield { what: `${at} with one more`, value: [...(value as unknown[]), value[0] ?? 'A'] };
    if (value.length > 1) yield { what: `${at} turned round`, value: value.toReversed() };
    for (const [index, item] of value.entries()) {
      yield { what: `${at}[${index}] removed`, value: value.toSpliced(index, 1) };
      for (const change of changesOf(item, `${at}[${index}]`))
        yield { what: change.what, value: value.toSpliced(index, 1, change.value) };
    }
    return;
  }
  yield { what: `${at} with another field`, value: { ...value, verdict: 'cheated' } };
  for (const [name, field] of Object.entries(value)) {
    const others = Object.fromEntries(Object.entries(value).filter(([other]) => other !== name));
    yield { what: `${at}.${name} removed`, value: others };
    yield { what: `${at}.${name} renamed`, value: { ...others, [`${name}s`]: field as unknown } };
    for (const change of changesOf(field, `${at}.${name}`))
      yield { what: change.what, value: { ...value, [name]: change.value } };
  }
}

/**
 * The same with the lines of a note or a proof. A line of a signature may stand there twice, or
 * beside those of others: it is the same signature.
 */
function* linesChanged(text: string, at: string): Generator<{ what: string; value: string }> {
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    const what = `${at} line ${index}`;
    const [before = '', after = ''] = [lines[index - 1], lines[index + 1]];
    yield { what: `${what} removed`, value: lines.toSpliced(index, 1).join('\n') };
    if (!line.startsWith('— '))
      yield { what: `${what} twice`, value: lines.toSpliced(index, 0, line).join('\n') };
    yield { what: `${what} up`, value: lines.toSpliced(index - 1, 2, line, before).join('\n') };
    yield { what: `${what} joined`, value: lines.toSpliced(index, 2, line + after).join('\n') };
  }
}

/** Those changes of a file, and of the JSON and the lines in its texts. */
export function* structuralChanges(file: object): Generator<Change> {
  const changes: Change[] = [];
  for (const { what, value } of changesOf(file)) changes.push({ what, file: value as Fields });
  for (const [name, text] of Object.entries(file) as [string, unknown][]) {
    if (typeof text !== 'string') continue;
    const inner = text.startsWith('{')
      ? Array.from(changesOf(parseStrictly(text), name), ({ what, value }) => ({
          what,
          value: JSON.stringify(value),
        }))
      : text.includes('\n')
        ? [...linesChanged(text, name)]
        : [];
    for (const { what, value } of inner) changes.push({ what, file: { ...file, [name]: value } });
  }
  const same = JSON.stringify(file);
  yield* changes.filter((change) => JSON.stringify(change.file) !== same);
}

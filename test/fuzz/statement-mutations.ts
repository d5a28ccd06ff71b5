import { unzipped, zipOf } from '../../scripts/sample-statements/zip.ts';
import type { Random } from '../simulation/random.ts';
import { HOSTILE_NUMBERS, HOSTILE_TEXTS } from './values.ts';

/** Parts of reports' cells, and parts that should not be there. */
const CELLS = [
  ...HOSTILE_TEXTS,
  ...HOSTILE_NUMBERS.map(String),
  '2026.13.45 25:61:61',
  '9999.12.31 23:59:59',
  '0000.00.00',
  '1 000 000 000 000 000.00',
  '-1\u00a0234,56',
  '1.2.3.4',
  '--5',
  'in/out',
  'out by',
  'balance',
  'buy',
  'sell stop',
  'Deals',
  'Positions',
  'Closed Transactions:',
  'Balance Drawdown Maximal',
  '&#0;&#xD800;&nbsp;&unknown;&',
  '<td>',
  '</table>',
  '=1+1',
  '1E+400',
];

type Mutate = (parts: string[], random: Random) => void;

/** Changes to a list of rows, cells, lines or tags. */
const CHANGES: Mutate[] = [
  (parts, random) => void parts.splice(random.between(0, parts.length - 1), 1),
  (parts, random) => void parts.splice(random.between(0, parts.length - 1), 5),
  (parts, random) => void parts.splice(random.between(0, parts.length), 0, random.pick(parts)),
  (parts, random) => {
    const [one, two] = [random.between(0, parts.length - 1), random.between(0, parts.length - 1)];
    [parts[one], parts[two]] = [parts[two] ?? '', parts[one] ?? ''];
  },
  (parts, random) => void parts.splice(random.between(0, parts.length - 1)),
  (parts, random) => {
    const part = random.pick(parts).slice(0, 5000);
    for (let times = 0; times < 200; times += 1) parts.push(part);
  },
];

function changed(parts: string[], joint: string, random: Random): string {
  if (parts.length > 0) random.pick(CHANGES)(parts, random);
  return parts.join(joint);
}

/** Replaces what stands between two marks, somewhere. */
function withCell(text: string, pattern: RegExp, random: Random): string {
  const cells = [...text.matchAll(pattern)];
  if (cells.length === 0) return text;
  const cell = random.pick(cells);
  const content = cell[1] ?? '';
  const from = cell.index + cell[0].indexOf(content, cell[0].indexOf('>') + 1);
  return text.slice(0, from) + random.pick(CELLS) + text.slice(from + content.length);
}

const HTML_CELL = /<t[dh][^>]*>([^<]*)</g;
const XML_VALUE = /<(?:v|t)[^>]*>([^<]*)</g;

function mutatedHtml(html: string, random: Random): string {
  switch (random.between(0, 6)) {
    case 0:
    case 1:
    case 2:
      return withCell(html, HTML_CELL, random);
    case 3:
      return changed(html.split('<tr'), '<tr', random);
    case 4:
      return changed(html.split('<td'), '<td', random);
    case 5: {
      const spans = ['colspan=99999999', 'colspan=-1', 'colspan="x"', 'title="\0"'];
      return html.replace(random.pick(['<td', '<td colspan="3"']), `<td ${random.pick(spans)}`);
    }
    default:
      return html.replaceAll(random.pick(['</td>', '</tr>', '</table>', '<table>']), '');
  }
}

function mutatedWorkbook(file: Uint8Array, random: Random): Uint8Array {
  const entries = unzipped(file);
  const names = Object.keys(entries);
  const name = random.pick(names);
  const sheet = names.find((entry) => entry.includes('sheet1')) ?? name;
  switch (random.between(0, 7)) {
    case 0:
      delete entries[name];
      break;
    case 1:
      entries[random.pick(['../../x', 'xl/worksheets/sheet2.xml', '__proto__', ''])] =
        entries[name] ?? new Uint8Array();
      break;
    case 2:
      entries[name] = (entries[name] ?? new Uint8Array()).subarray(0, random.between(0, 2000));
      break;
    case 3:
      return flipped(file, random);
    default: {
      const xml = Buffer.from(entries[sheet] ?? []).toString();
      const isCell = random.chance(0.7);
      const mutated = isCell
        ? withCell(xml, XML_VALUE, random)
        : changed(xml.split('<row'), '<row', random);
      entries[sheet] = Buffer.from(
        random.chance(0.2) ? mutated.replace(/ r="[A-Z]+/, ' r="XFZZZZ') : mutated,
      );
    }
  }
  return zipOf(entries);
}

function flipped(file: Uint8Array, random: Random): Uint8Array {
  const copy = Uint8Array.from(file);
  for (let times = random.between(1, 20); times > 0; times -= 1) {
    copy[random.between(0, copy.length - 1)] = random.between(0, 255);
  }
  return copy;
}

function mutatedLines(text: string, random: Random): string {
  const lines = text.split('\n');
  if (random.chance(0.4)) return changed(lines, '\n', random);
  const place = random.between(0, lines.length - 1);
  const fields = (lines[place] ?? '').split(',');
  fields[random.between(0, fields.length - 1)] = random.chance(0.2)
    ? `"${random.pick(CELLS)}`
    : random.pick(CELLS);
  lines[place] = fields.join(',');
  return lines.join('\n');
}

function mutatedJson(text: string, random: Random): string {
  const values = [...text.matchAll(/:\s*("[^"]*"|[\d.-]+)/g)];
  if (random.chance(0.3) || values.length === 0) {
    return changed(text.split('},'), '},', random);
  }
  const value = random.pick(values);
  const other = random.chance(0.5) ? JSON.stringify(random.pick(CELLS)) : random.pick(CELLS);
  const [before, after] = [text.slice(0, value.index), text.slice(value.index + value[0].length)];
  return `${before}: ${other}${after}`;
}

export type StatementKind = 'html' | 'xlsx' | 'csv' | 'json';

/** The file with one to three things of its own format changed; sometimes its bytes as well. */
export function mutatedStatement(
  kind: StatementKind,
  file: Uint8Array,
  random: Random,
): Uint8Array {
  let bytes = file;
  for (let times = random.between(1, 3); times > 0; times -= 1) {
    if (kind === 'xlsx') return mutatedWorkbook(bytes, random);
    const text = Buffer.from(bytes).toString();
    const mutate = { html: mutatedHtml, csv: mutatedLines, json: mutatedJson }[kind];
    bytes = Buffer.from(mutate(text, random));
  }
  if (random.chance(0.1)) return flipped(bytes, random);
  return random.chance(0.1) ? Buffer.from(`\ufeff${Buffer.from(bytes)}`, 'utf16le') : bytes;
}

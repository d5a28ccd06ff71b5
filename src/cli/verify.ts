import { readFile, stat } from 'node:fs/promises';
import type { Command } from 'commander';
import type { Report } from '../services/evidence/read-sealed-file.ts';
import { keyListOf, verifyTexts } from '../services/evidence/verify-file.ts';
import { checkStampBy } from './check-stamp.ts';

type Options = {
  key?: string;
  keys?: string;
  tsaCa?: string;
  head: string[];
  json: boolean;
};

const MAX_FILE_BYTES = 50 * 1024 * 1024;

/** `plimsoll verify FILE…`: needs no server and no database. */
export function addVerifyCommand(program: Command): void {
  program
    .command('verify')
    .description('check case files, and exports of the tree of events, and say what they prove')
    .argument('<file...>', 'JSON of …/tracker-events/N/case or …/tracker-events/seals')
    .option('--key <base64>', 'the public key as its owner published it')
    .option('--keys <file>', 'the answer of /evidence-key, where the key was replaced')
    .option(
      '--head <file>',
      'a head, or a file with one, that was kept from earlier; may be repeated',
      (file: string, files: string[]) => [...files, file],
      [],
    )
    .option('--tsa-ca <file>', 'PEM of the authorities whose time stamps you trust')
    .option('--json', 'print JSON', false)
    .action(async (files: string[], { key, keys, tsaCa, head, json }: Options) => {
      const list = keys === undefined ? undefined : keyListOf(await readSmall(keys));
      const [texts, heads] = [await readAll(files), await readAll(head)];
      const checkStamp = tsaCa === undefined ? undefined : checkStampBy(tsaCa);
      const reports = verifyTexts(texts, { key, list, heads, checkStamp }).map((report, index) => ({
        file: files[index] ?? '',
        ...report,
      }));
      if (json) console.log(JSON.stringify(reports, undefined, 2));
      else for (const report of reports) console.log(wordsOf(report));
      const faulty = reports.filter(({ faults }) => faults.length > 0).length;
      if (faulty > 0) throw new Error(`${faulty} of ${files.length} files did not hold`);
    });
}

const readAll = (files: readonly string[]): Promise<string[]> => Promise.all(files.map(readSmall));

async function readSmall(file: string): Promise<string> {
  const { size } = await stat(file);
  if (size > MAX_FILE_BYTES) throw new Error(`${file} is larger than 50 MB`);
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(file));
}

/** Texts of a file must not steer the terminal. */
const wordsOf = ({ file, faults, verified, notVerified }: Report & { file: string }): string =>
  [
    `${file}: ${faults.length === 0 ? 'holds' : 'does NOT hold'}`,
    ...part('faults', faults),
    ...part('verified', verified),
    ...part('NOT verified', notVerified),
  ].join('\n');

const part = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0
    ? []
    : [
        `  ${title}`,
        ...lines.map((line) => `    ${line.replaceAll(/[\p{Cc}\p{Cf}]/gu, '\uFFFD')}`),
      ];

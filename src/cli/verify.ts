import { readFile, stat } from 'node:fs/promises';
import type { Command } from 'commander';
import { keyListOf, type PublishedKeys, verifyText } from '../services/evidence/verify-file.ts';

type Verdict = ReturnType<typeof verifyText>;
type FileVerdict = Verdict & { file: string };

const MAX_FILE_BYTES = 50 * 1024 * 1024;

/** `plimsoll verify FILE…`: needs no server and no database. */
export function addVerifyCommand(program: Command): void {
  program
    .command('verify')
    .description('check case files, and chains of events, against their seals and signatures')
    .argument('<file...>', 'JSON of …/tracker-events/N/case or …/tracker-events/seals')
    .option('--key <base64>', 'the public key as its owner published it')
    .option('--keys <file>', 'the answer of /evidence-key, where the key was replaced')
    .option('--json', 'print JSON', false)
    .action(async (files: string[], options: { key?: string; keys?: string; json: boolean }) => {
      const { key, keys, json } = options;
      const list = keys === undefined ? undefined : keyListOf(await readSmall(keys));
      const verdicts: FileVerdict[] = [];
      for (const file of files) {
        const verdict = { file, ...verifyText(await readSmall(file), { key, list }) };
        verdicts.push(verdict);
        if (!json) console.log(wordsOf(verdict, { key, list }));
      }
      if (json) console.log(JSON.stringify(verdicts, undefined, 2));
      const faulty = verdicts.filter(({ faults }) => faults.length > 0).length;
      if (faulty > 0) throw new Error(`${faulty} of ${files.length} files did not hold`);
    });
}

async function readSmall(file: string): Promise<string> {
  const { size } = await stat(file);
  if (size > MAX_FILE_BYTES) throw new Error(`${file} is larger than 50 MB`);
  return readFile(file, 'utf8');
}

function wordsOf(
  { file, claims, publicKey, faults }: FileVerdict,
  { key, list }: PublishedKeys,
): string {
  const isGood = faults.length === 0;
  const said = `${file}: ${claims}: ${isGood ? 'holds' : `does NOT hold: ${faults.join('; ')}`}`;
  const isCompared = key !== undefined || list !== undefined;
  return isCompared ? said : `${said}\n  signed by ${publicKey}: compare it, or pass --key`;
}

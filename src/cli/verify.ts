import { readFile, stat } from 'node:fs/promises';
import type { Command } from 'commander';
import { verifyText } from '../services/evidence/verify-file.ts';

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
    .option('--json', 'print JSON', false)
    .action(async (files: string[], { key, json }: { key?: string; json: boolean }) => {
      const verdicts: FileVerdict[] = [];
      for (const file of files) {
        const verdict = { file, ...(await verdictOf(file, key)) };
        verdicts.push(verdict);
        if (!json) console.log(wordsOf(verdict, key));
      }
      if (json) console.log(JSON.stringify(verdicts, undefined, 2));
      const faulty = verdicts.filter(({ faults }) => faults.length > 0).length;
      if (faulty > 0) throw new Error(`${faulty} of ${files.length} files did not hold`);
    });
}

async function verdictOf(file: string, key: string | undefined): Promise<Verdict> {
  const { size } = await stat(file);
  if (size > MAX_FILE_BYTES) throw new Error(`${file} is larger than 50 MB`);
  return verifyText(await readFile(file, 'utf8'), key);
}

function wordsOf(
  { file, claims, publicKey, faults }: FileVerdict,
  key: string | undefined,
): string {
  const isGood = faults.length === 0;
  const said = `${file}: ${claims}: ${isGood ? 'holds' : `does NOT hold: ${faults.join('; ')}`}`;
  return key === undefined ? `${said}\n  signed by ${publicKey}: compare it, or pass --key` : said;
}

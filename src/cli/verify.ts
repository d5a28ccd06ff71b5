import { readFile, stat } from 'node:fs/promises';
import type { Command } from 'commander';
import { verifyText } from '../services/evidence/verify-file.ts';

const MAX_FILE_BYTES = 50 * 1024 * 1024;

/** `plimsoll verify FILE…`: needs no server and no database. */
export function addVerifyCommand(program: Command): void {
  program
    .command('verify')
    .description('check case files, and chains of events, against their seals and signatures')
    .argument('<file...>', 'JSON of …/tracker-events/N/case or …/tracker-events/seals')
    .option('--key <base64>', 'the public key as its owner published it')
    .action(async (files: string[], { key }: { key?: string }) => {
      let faulty = 0;
      for (const file of files) if (!(await holds(file, key))) faulty += 1;
      if (faulty > 0) throw new Error(`${faulty} of ${files.length} files did not hold`);
    });
}

async function holds(file: string, key: string | undefined): Promise<boolean> {
  const { size } = await stat(file);
  if (size > MAX_FILE_BYTES) throw new Error(`${file} is larger than 50 MB`);
  const { claims, publicKey, faults } = verifyText(await readFile(file, 'utf8'), key);
  const isGood = faults.length === 0;
  console.log(`${file}: ${claims}: ${isGood ? 'holds' : `does NOT hold: ${faults.join('; ')}`}`);
  if (key === undefined) console.log(`  signed by ${publicKey}: compare it, or give --key`);
  return isGood;
}

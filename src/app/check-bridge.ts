import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { printRecords } from '../cli/print.ts';
import { type CheckedCall, checkBridge } from '../platforms/p4-bridge/check-bridge.ts';

type Options = {
  tokenFile: string;
  login?: string;
  tlsCa?: string;
  tlsFingerprint?: string;
  json: boolean;
};

/** `plimsoll check-bridge URL`: needs no server and no database. */
export function addCheckBridge(program: Command): void {
  program
    .command('check-bridge')
    .description('call a p4 bridge, reading only, and tell what it answers and what it lacks')
    .argument('<url>', 'https://host:port of the bridge')
    .requiredOption('--token-file <file>', 'file with the bearer token of the bridge')
    .option('--login <login>', 'account to read; the first of the first group by default')
    .option('--tls-ca <file>', 'PEM of the authority to trust')
    .option('--tls-fingerprint <sha256>', 'of the only certificate to accept')
    .option('--json', 'print JSON', false)
    .action(async (url: string, { tokenFile, login, tlsCa, json, ...options }: Options) => {
      const token = (await readFile(tokenFile, 'utf8')).trim();
      const trust = {
        ...(tlsCa === undefined ? {} : { tlsCa: await readFile(tlsCa, 'utf8') }),
        ...(options.tlsFingerprint ? { tlsFingerprint: options.tlsFingerprint } : {}),
      };
      const bridge = { server: url, token, allowPrivate: true, ...trust };
      const rows = await checkBridge(bridge, login === undefined ? undefined : Number(login));
      const columns = {
        CALL: ({ call }: CheckedCall) => call,
        OUTCOME: ({ outcome }: CheckedCall) => outcome,
        ANSWER: ({ detail }: CheckedCall) => detail,
      };
      printRecords(rows, columns, json);
      const failed = rows.filter(({ outcome }) => outcome === 'failed').length;
      if (failed > 0) throw new Error(`${failed} calls failed`);
    });
}

import type { Command } from 'commander';
import { isUsed, type KeyUse, readKeyUse } from '../services/keys/check-keys.ts';
import { rotateEvidenceKey, rotateKeys } from '../services/keys/rotate-keys.ts';
import { printRecords } from './print.ts';
import { commandActor, type WithContext } from './with-context.ts';

const KEPT: Record<KeyUse['kept'], string> = {
  settings: 'PLIMSOLL_SECRET_KEY',
  database: 'the database itself',
  missing: 'missing here',
};

/** `plimsoll key …`: the keys that encrypt secrets, and those that sign events. */
export function addKeyCommands(program: Command, withContext: WithContext): void {
  const keys = program.command('key').description('keys that encrypt secrets and sign events');
  keys
    .command('list')
    .description('list the keys under which secrets are stored, by their ids')
    .option('--json', 'print JSON', false)
    .action(({ json }: { json: boolean }) =>
      withContext(async ({ database, secrets }) => {
        const records = (await readKeyUse(database, secrets)).map(({ sinceMs, ...key }) => ({
          ...key,
          since: new Date(sinceMs).toISOString(),
        }));
        const columns = {
          ID: ({ id }: (typeof records)[number]) => id,
          USE: ({ isCurrent, secrets }: (typeof records)[number]) =>
            isCurrent ? 'encrypts' : isUsed(secrets) ? 'decrypts' : 'none',
          KEPT: ({ kept }: (typeof records)[number]) => KEPT[kept],
          SINCE: ({ since }: (typeof records)[number]) => since.slice(0, 10),
          WEBHOOKS: ({ secrets }: (typeof records)[number]) => secrets.webhooks,
          PROFILES: ({ secrets }: (typeof records)[number]) => secrets.profiles,
          EVIDENCE: ({ secrets }: (typeof records)[number]) => secrets.evidenceKeys,
        };
        printRecords(records, columns, json);
      }),
    );
  keys
    .command('rotate')
    .description('encrypt all secrets under the first key of PLIMSOLL_SECRET_KEY')
    .option('--evidence', 'instead have events signed by a new key', false)
    .option('--json', 'print JSON', false)
    .action(({ evidence, json }: { evidence: boolean; json: boolean }) =>
      withContext(async (context) => {
        if (evidence) {
          const made = await rotateEvidenceKey(context, commandActor());
          const vouched = made.isVouchedFor
            ? 'the key before it vouches for it'
            : 'no key vouches for it, as the one before cannot be opened';
          const said = `Events are signed by the new key ${made.publicKey}; ${vouched}`;
          console.log(json ? JSON.stringify(made) : said);
          return;
        }
        const done = await rotateKeys(context, commandActor());
        const { keyId, encrypted, locked } = done;
        const left = locked === 0 ? '' : `; ${locked} are left, whose key is not here`;
        const said = `The key ${keyId} encrypts from now on: ${encrypted} secrets moved${left}`;
        console.log(json ? JSON.stringify(done) : said);
      }),
    );
}

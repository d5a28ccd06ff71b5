import type { Command } from 'commander';
import {
  listSetAside,
  readTarget,
  type SetAside,
  showSetAside,
  type WaitingEntry,
} from '../services/set-aside/set-aside.ts';
import { retrySetAside, skipSetAside } from '../services/set-aside/settle-set-aside.ts';
import { printRecords } from './print.ts';
import { commandActor, type WithContext } from './with-context.ts';

const TARGET = 'as `plimsoll journal list` names it';
type Options = { json: boolean };

/** `plimsoll journal list|show|retry|skip`; the command, for more of them. */
export function addJournalCommands(program: Command, withContext: WithContext): Command {
  const journal = program
    .command('journal')
    .description('list and resolve entries that could not be folded or read');
  journal
    .command('list')
    .description('accounts in quarantine and entries that cannot be read')
    .option('--json', 'print JSON', false)
    .action(({ json }: Options) =>
      withContext(async (context) => {
        const columns = {
          TARGET: (item: SetAside) => item.target,
          USER: (item: SetAside) => item.userId,
          ACCOUNT: (item: SetAside) => item.accountId,
          POSITION: (item: SetAside) => item.position,
          REASON: (item: SetAside) => item.reason,
        };
        printRecords(await listSetAside(context), columns, json);
      }),
    );
  journal
    .command('show')
    .description('list the waiting entries, oldest first')
    .argument('<target>', TARGET)
    .option('--json', 'print JSON', false)
    .action((text: string, { json }: Options) =>
      withContext(async (context) => {
        const columns = {
          POSITION: (entry: WaitingEntry) => entry.position,
          RECEIVED: (entry: WaitingEntry) => entry.receivedTime,
          SNAPSHOTS: (entry: WaitingEntry) => entry.snapshots,
          DEALS: (entry: WaitingEntry) => entry.deals,
          COMMAND: (entry: WaitingEntry) => entry.command,
        };
        printRecords(await showSetAside(context, readTarget(text)), columns, json);
      }),
    );
  addDecision(journal, withContext, {
    name: 'retry',
    description: 'fold the waiting entries again, for example after an upgrade',
    said: 'is being folded again: check `plimsoll journal list` in a moment',
    decide: retrySetAside,
  });
  addDecision(journal, withContext, {
    name: 'skip',
    description: 'permanently skip the entry that could not be folded or read',
    said: 'continues without the entry: check `plimsoll journal list` in a moment',
    decide: skipSetAside,
  });
  return journal;
}

function addDecision(
  journal: Command,
  withContext: WithContext,
  {
    name,
    description,
    said,
    decide,
  }: { name: string; description: string; said: string; decide: typeof retrySetAside },
): void {
  journal
    .command(name)
    .description(description)
    .argument('<target>', TARGET)
    .option('--json', 'print JSON', false)
    .action((target: string, { json }: Options) =>
      withContext(async (context) => {
        await decide(context, commandActor(), readTarget(target));
        console.log(json ? JSON.stringify({ target, decision: name }) : `${target} ${said}`);
      }),
    );
}

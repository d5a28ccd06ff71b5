import type { Command } from 'commander';
import { type AskForStamp, stampHeads } from '../services/evidence/stamp-heads.ts';
import type { WithContext } from './with-context.ts';

/** Hands over how to ask the authority of the settings; undefined if they name none. */
export type WithAuthority = (run: (ask: AskForStamp | undefined) => Promise<void>) => Promise<void>;

/** `plimsoll stamp`: without waiting for the hour. */
export function addStampCommand(
  program: Command,
  withContext: WithContext,
  withAuthority: WithAuthority,
): void {
  program
    .command('stamp')
    .description('have the heads of all trees of events stamped now, by PLIMSOLL_TSA_URL')
    .option('--json', 'print JSON', false)
    .action(({ json }: { json: boolean }) =>
      withAuthority(async (ask) => {
        if (!ask) throw new Error('Set PLIMSOLL_TSA_URL to the address of an authority');
        await withContext(async (context) => {
          const stamped = await stampHeads(context, ask, 0);
          console.log(json ? JSON.stringify({ stamped }) : `${stamped} heads stamped`);
        });
      }),
    );
}

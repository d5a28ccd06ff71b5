import type { Command } from 'commander';
import { type ListedAuditEntry, listAudit } from '../services/audit/list-audit.ts';
import { addPageOptions, type PageOptions } from './page-options.ts';
import { printRecords } from './print.ts';
import type { WithContext } from './with-context.ts';

/** `plimsoll audit`. */
export function addAuditCommand(program: Command, withContext: WithContext): void {
  addPageOptions(
    program
      .command('audit')
      .description('list who did what and when, newest first')
      .option('--user <id>', 'only about this user'),
  ).action((options: PageOptions & { user?: string }) =>
    withContext(async (context) => {
      const { user: userId, limit, offset, json } = options;
      const columns = {
        AT: (entry: ListedAuditEntry) => entry.at,
        ACTOR: (entry: ListedAuditEntry) => entry.actor,
        ACTION: (entry: ListedAuditEntry) => entry.action,
        USER: (entry: ListedAuditEntry) => entry.userId,
        DETAILS: (entry: ListedAuditEntry) => JSON.stringify(entry.details),
      };
      printRecords(await listAudit(context, { userId, limit, offset }), columns, json);
    }),
  );
}

import type { Command } from 'commander';
import { type ListedAuditEntry, listAudit } from '../services/audit/list-audit.ts';
import { addPageOptions, type PageOptions } from './page-options.ts';
import { printRecords } from './print.ts';
import type { WithContext } from './with-context.ts';

type Options = PageOptions & { user?: string; account?: string; actor?: string; action?: string };

/** `plimsoll audit`. */
export function addAuditCommand(program: Command, withContext: WithContext): void {
  addPageOptions(
    program
      .command('audit')
      .description('list who did what and when, newest first')
      .option('--user <id>', 'only about this user')
      .option('--account <id>', 'only about this account')
      .option('--actor <who>', 'only actions of this one: operator, user:<id>, cli:<name>')
      .option(
        '--action <words>',
        'only this action, or all that begin so: tracker.deleted, tracker',
      ),
  ).action((options: Options) =>
    withContext(async (context) => {
      const { user: userId, account: accountId, actor, action, limit, offset, json } = options;
      const filter = { userId, accountId, actor, action, limit, offset };
      const columns = {
        AT: (entry: ListedAuditEntry) => entry.at,
        ACTOR: (entry: ListedAuditEntry) => named(entry.actor, entry.actorEmail),
        ACTION: (entry: ListedAuditEntry) => entry.action,
        USER: (entry: ListedAuditEntry) => named(entry.userId, entry.userEmail),
        ACCOUNT: (entry: ListedAuditEntry) => named(entry.accountId, entry.accountName),
        DETAILS: (entry: ListedAuditEntry) => JSON.stringify(entry.details),
      };
      printRecords(await listAudit(context, filter), columns, json);
    }),
  );
}

const named = (id: string | undefined, name: string | undefined): string | undefined =>
  name === undefined ? id : `${name} (${id})`;

import type { Command } from 'commander';
import { createUser } from '../services/users/create-user.ts';
import { deleteUser } from '../services/users/delete-user.ts';
import { findUser } from '../services/users/find-user.ts';
import { listUsers } from '../services/users/list-users.ts';
import { presentUser } from '../services/users/present-user.ts';
import { addPageOptions, type PageOptions } from './page-options.ts';
import { printRecords } from './print.ts';
import { readEmail, readName } from './read-name.ts';
import { commandActor, type WithContext } from './with-context.ts';

type ListedUser = ReturnType<typeof presentUser>;

/** `plimsoll user create|list|delete`. */
export function addUserCommands(program: Command, withContext: WithContext): void {
  const user = program.command('user').description('manage users');
  user
    .command('create')
    .description('create a user')
    .argument('<email>', 'e-mail address', readEmail)
    .option('--name <name>', 'name of the person or firm', readName)
    .option('--json', 'print JSON', false)
    .action((email: string, { name, json }: { name?: string; json: boolean }) =>
      withContext(async (context) => {
        const created = await createUser(context, commandActor(), { email, name });
        console.log(
          json ? JSON.stringify(created) : `User ${created.email} has the id ${created.id}`,
        );
      }),
    );
  addPageOptions(user.command('list').description('list users')).action(
    ({ limit, offset, json }: PageOptions) =>
      withContext(async (context) => {
        const columns = {
          ID: (item: ListedUser) => item.id,
          EMAIL: (item: ListedUser) => item.email,
          NAME: (item: ListedUser) => item.name,
          CREATED: (item: ListedUser) => item.createdAt,
          BYTES: (item: ListedUser) => String(item.storedBytes),
        };
        const users = await listUsers(context, limit, offset);
        printRecords(users.map(presentUser), columns, json);
      }),
  );
  user
    .command('delete')
    .description('delete a user for good, with all accounts, tokens, profiles and webhooks')
    .argument('<user>', 'id or e-mail address')
    .option('--json', 'print JSON', false)
    .action((idOrEmail: string, { json }: { json: boolean }) =>
      withContext(async (context) => {
        const { id, email } = await findUser(context, idOrEmail);
        await deleteUser(context, commandActor(), id);
        const said = `User ${email} is deleted; the server removes the accounts in the background`;
        console.log(json ? JSON.stringify({ id, deleted: true }) : said);
      }),
    );
}

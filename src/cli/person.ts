import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { MAX_PEOPLE } from '../contract/operations/people.ts';
import {
  changePerson,
  type Invitation,
  inviteAgain,
  invitePerson,
  presentPerson,
  readPeople,
  removePerson,
} from '../services/people/people.ts';
import { findUser } from '../services/users/find-user.ts';
import { ROLES, type Role } from '../words/roles.ts';
import { printRecords } from './print.ts';
import { readEmail, readName } from './read-name.ts';
import { commandActor, type WithContext } from './with-context.ts';

type ListedPerson = ReturnType<typeof presentPerson>;
type Invited = { name: string; email: string; role: Role; accounts?: string[]; json: boolean };

/** `plimsoll person invite|list|role|remove`. */
export function addPersonCommands(program: Command, withContext: WithContext): void {
  const person = program.command('person').description('manage the people of a user');
  addInvite(person, withContext);
  person
    .command('list')
    .description('list the people of a user')
    .argument('<user>', 'id or e-mail address of the user')
    .option('--json', 'print JSON', false)
    .action((idOrEmail: string, { json }: { json: boolean }) =>
      withContext(async (context) => {
        const user = await findUser(context, idOrEmail);
        const { items } = await readPeople(context, user.id, { limit: MAX_PEOPLE });
        const columns = {
          ID: (item: ListedPerson) => item.id,
          NAME: (item: ListedPerson) => item.name,
          EMAIL: (item: ListedPerson) => item.email,
          ROLE: (item: ListedPerson) => item.role,
          ACCOUNTS: (item: ListedPerson) => item.accountIds?.join(' '),
          INVITED: (item: ListedPerson) => item.invitedAt,
        };
        printRecords(items.map(presentPerson), columns, json);
      }),
    );
  addRole(person, withContext);
  person
    .command('remove')
    .description('remove a person at once')
    .argument('<user>', 'id or e-mail address of the user')
    .argument('<id>', 'id of the person')
    .option('--with-made', 'also all tokens that the person made', false)
    .option('--json', 'print JSON', false)
    .action((idOrEmail: string, id: string, options: { json: boolean; withMade: boolean }) =>
      withContext(async (context) => {
        const user = await findUser(context, idOrEmail);
        await removePerson(context, commandActor(), user.id, id, options.withMade);
        const said = `Person ${id} is removed`;
        console.log(options.json ? JSON.stringify({ id, removed: true }) : said);
      }),
    );
}

function addInvite(person: Command, withContext: WithContext): void {
  person
    .command('invite')
    .description('invite a person, or with an id again; prints a code that signs in once')
    .argument('<user>', 'id or e-mail address of the user')
    .argument('[id]', 'id of a person who was invited before')
    .option('--name <name>', 'name of the person', readName)
    .addOption(new Option('--email <address>', 'address of the person').argParser(readEmail))
    .addOption(new Option('--role <role>', 'what the person may do').choices(ROLES))
    .option('--accounts <ids>', 'of a trader: the accounts', (ids) => ids.split(','))
    .option('--json', 'print JSON', false)
    .action((idOrEmail: string, id: string | undefined, options: Partial<Invited>) =>
      withContext(async (context) => {
        const user = await findUser(context, idOrEmail);
        const by = commandActor();
        const { name, email, role, accounts: accountIds } = options;
        const isComplete = name !== undefined && email !== undefined && role !== undefined;
        if (id === undefined && !isComplete)
          throw new InvalidArgumentError('Give --name, --email and --role, or the id of a person.');
        const made: Invitation =
          id === undefined && isComplete
            ? await invitePerson(context, by, user.id, { name, email, role, accountIds })
            : await inviteAgain(context, by, user.id, id ?? '');
        console.log(options.json ? JSON.stringify(made) : made.code);
        const mailed = made.isMailed ? ' It is on its way by mail, too.' : '';
        if (!options.json)
          console.error(
            `It signs one browser in, once, until ${made.expiresAt}: open the address of the ` +
              `dashboard with /#code= and this code. The id of the person is ${made.id}.${mailed}`,
          );
      }),
    );
}

function addRole(person: Command, withContext: WithContext): void {
  person
    .command('role')
    .description('give a person another role, also in running sessions')
    .argument('<user>', 'id or e-mail address of the user')
    .argument('<id>', 'id of the person')
    .addArgument(new Argument('<role>', 'what the person may do').choices(ROLES))
    .option('--accounts <ids>', 'of a trader: the accounts', (ids) => ids.split(','))
    .option('--json', 'print JSON', false)
    .action(
      (
        idOrEmail: string,
        id: string,
        role: Role,
        options: { accounts?: string[]; json: boolean },
      ) =>
        withContext(async (context) => {
          const user = await findUser(context, idOrEmail);
          const rights = { role, accountIds: options.accounts };
          const changed = await changePerson(context, commandActor(), user.id, id, rights);
          const said = `Person ${id} has the role ${role}`;
          console.log(options.json ? JSON.stringify(presentPerson(changed)) : said);
        }),
    );
}

import { type Command, InvalidArgumentError, Option } from 'commander';
import { DEFAULT_OVERLAP_MINUTES, MAX_OVERLAP_MINUTES } from '../contract/operations/users.ts';
import { findUser } from '../services/users/find-user.ts';
import { presentToken } from '../services/users/present-token.ts';
import { revokeToken } from '../services/users/revoke-token.ts';
import { rotateToken } from '../services/users/rotate-token.ts';
import {
  absentAccounts,
  createToken,
  type NewToken,
  readTokens,
} from '../services/users/tokens.ts';
import { TOKEN_SCOPES, type TokenScope } from '../words/service.ts';
import { printRecords } from './print.ts';
import { commandActor, type WithContext } from './with-context.ts';

type ListedToken = ReturnType<typeof presentToken>;
type CreateOptions = {
  name?: string;
  scopes?: TokenScope[];
  accounts?: string[];
  expiresInDays?: number;
  json: boolean;
};

/** `plimsoll token create|list|revoke`. */
export function addTokenCommands(program: Command, withContext: WithContext): void {
  const token = program.command('token').description('manage API tokens');
  token
    .command('create')
    .description('create a token; it is shown once')
    .argument('<user>', 'id or e-mail address')
    .option('--name <name>', 'what the token is for')
    .addOption(new Option('--scopes <list>', `of ${TOKEN_SCOPES.join(', ')}`).argParser(readScopes))
    .addOption(new Option('--accounts <ids>', 'only these accounts').argParser(readList))
    .addOption(new Option('--expires-in-days <days>', 'when it ends').argParser(readDays))
    .option('--json', 'print JSON', false)
    .action((idOrEmail: string, { json, accounts, ...options }: CreateOptions) =>
      withContext(async (context) => {
        const user = await findUser(context, idOrEmail);
        const input: NewToken = { ...options, accountIds: accounts };
        const created = await createToken(context, commandActor(), user.id, input);
        console.log(json ? JSON.stringify(created) : created.token);
        for (const id of await absentAccounts(context, user.id, accounts ?? []))
          console.error(`There is no account ${id}: create it, then another token that reaches it`);
        // On standard error, so that TOKEN=$(plimsoll token create …) gets only the token.
        if (!json) console.error(`Keep it: it is not shown again. Its id is ${created.id}`);
      }),
    );
  token
    .command('list')
    .description("list a user's tokens, without their secrets")
    .argument('<user>', 'id or e-mail address')
    .option('--json', 'print JSON', false)
    .action((idOrEmail: string, { json }: { json: boolean }) =>
      withContext(async (context) => {
        const user = await findUser(context, idOrEmail);
        const { items: tokens } = await readTokens(context, user.id, {});
        const columns = {
          ID: (item: ListedToken) => item.id,
          NAME: (item: ListedToken) => item.name,
          TOKEN_SCOPES: (item: ListedToken) => item.scopes.join(' '),
          ACCOUNTS: (item: ListedToken) => item.accountIds?.join(' '),
          CREATED: (item: ListedToken) => item.createdAt,
          EXPIRES: (item: ListedToken) => item.expiresAt,
          MADE_BY: (item: ListedToken) => item.madeBy,
          LAST_USED: (item: ListedToken) => item.lastUsedAt,
          FROM: (item: ListedToken) => item.lastUsedFrom,
        };
        printRecords(tokens.map(presentToken), columns, json);
      }),
    );
  token
    .command('revoke')
    .description('revoke a token at once')
    .argument('<id>', 'id of the token')
    .option('--with-made', 'also all tokens that it made, and those that these made', false)
    .option('--json', 'print JSON', false)
    .action((id: string, { json, withMade }: { json: boolean; withMade: boolean }) =>
      withContext(async (context) => {
        await revokeToken(context, commandActor(), id, { withMade });
        const also = withMade ? ' with all that it made' : '';
        console.log(json ? JSON.stringify({ id, revoked: true }) : `Token ${id} is revoked${also}`);
      }),
    );
  addRotate(token, withContext);
}

function addRotate(token: Command, withContext: WithContext): void {
  token
    .command('rotate')
    .description('replace the secret of a token; the new one is shown once')
    .argument('<id>', 'id of the token')
    .addOption(
      new Option('--overlap-minutes <minutes>', 'for how long the old one stays valid')
        .default(DEFAULT_OVERLAP_MINUTES)
        .argParser(readMinutes),
    )
    .option('--json', 'print JSON', false)
    .action((id: string, { json, overlapMinutes }: { json: boolean; overlapMinutes: number }) =>
      withContext(async (context) => {
        const made = await rotateToken(context, commandActor(), id, { overlapMinutes });
        console.log(json ? JSON.stringify(made) : made.token);
        if (!json) console.error(`Keep it: it is not shown again. Its id is ${made.id}`);
      }),
    );
}

function readMinutes(text: string): number {
  const minutes = Number(text);
  if (!Number.isInteger(minutes) || minutes < 0 || minutes > MAX_OVERLAP_MINUTES)
    throw new InvalidArgumentError(`It must be a whole number up to ${MAX_OVERLAP_MINUTES}.`);
  return minutes;
}

const readList = (text: string): string[] => text.split(',').map((word) => word.trim());

function readScopes(text: string): TokenScope[] {
  const scopes = TOKEN_SCOPES.filter((scope) => readList(text).includes(scope));
  if (scopes.length !== readList(text).length) {
    throw new InvalidArgumentError(`It must be a list of ${TOKEN_SCOPES.join(', ')}.`);
  }
  return scopes;
}

function readDays(text: string): number {
  const days = Number(text);
  if (!(days > 0 && days <= 36_500))
    throw new InvalidArgumentError('It must be a number above 0, at most 36500.');
  return days;
}

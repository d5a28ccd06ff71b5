import type { FastifyInstance } from 'fastify';
import {
  createAccountOperation,
  deleteAccountOperation,
  labelAccountsOperation,
  listAccountsOperation,
  readAccountOperation,
  updateAccountOperation,
} from '../../../contract/operations/accounts.ts';
import { accessAccount } from '../../../services/accounts/access-account.ts';
import {
  type AccountSettings,
  accountFaults,
  createAccount,
} from '../../../services/accounts/create-account.ts';
import { deleteAccount } from '../../../services/accounts/delete-account.ts';
import { labelAccounts } from '../../../services/accounts/label-accounts.ts';
import { listAccounts } from '../../../services/accounts/list-accounts.ts';
import { presentAccount, presentAccounts } from '../../../services/accounts/present-account.ts';
import { accountChangeFaults, updateAccount } from '../../../services/accounts/update-account.ts';
import type { Context } from '../../../services/context.ts';
import { addRoute } from '../../add-route.ts';
import { sendOffsetPage } from '../../send-page.ts';

export function registerAccounts(
  server: FastifyInstance,
  context: Context & AccountSettings,
): void {
  addRoute(
    server,
    createAccountOperation,
    ({ principal, body }) => createAccount(context, principal, body),
    { moreFaults: ({ principal, body }) => accountFaults(context, principal, body) },
  );
  addRoute(server, listAccountsOperation, ({ principal, query, ...call }) =>
    sendOffsetPage(call, query, async (page) =>
      presentAccounts(context, await listAccounts(context, principal, page)),
    ),
  );
  addRoute(server, readAccountOperation, async ({ principal, params }) =>
    presentAccount(context, await accessAccount(context, principal, params.accountId)),
  );
  addRoute(
    server,
    updateAccountOperation,
    async ({ principal, params, body }) =>
      presentAccount(context, await updateAccount(context, principal, params.accountId, body)),
    {
      moreFaults: ({ principal, params, body }) =>
        accountChangeFaults(context, principal, params.accountId, body),
    },
  );
  addRoute(server, deleteAccountOperation, ({ principal, params }) =>
    deleteAccount(context, principal, params.accountId),
  );
  addRoute(server, labelAccountsOperation, ({ principal, body }) =>
    labelAccounts(context, principal, body),
  );
}

import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import { startFromStatementOperation } from '../../../contract/operations/new-statements.ts';
import {
  deleteImportOperation,
  importStatementOperation,
  listImportsOperation,
  readImportOperation,
  settleConflictOperation,
} from '../../../contract/operations/statements.ts';
import { MAX_PAGE } from '../../../contract/primitives.ts';
import type { TradeComputer } from '../../../histories/trade-computer.ts';
import { accessAccount } from '../../../services/accounts/access-account.ts';
import type { AccountSettings } from '../../../services/accounts/create-account.ts';
import { actorOf } from '../../../services/changes.ts';
import type { Context } from '../../../services/context.ts';
import { invalid } from '../../../services/errors.ts';
import { importStatement, tryStatement } from '../../../services/imports/import-statement.ts';
import { deleteImport, readImport, readImports } from '../../../services/imports/manage-imports.ts';
import { presentImportSummary } from '../../../services/imports/present-import.ts';
import { settleConflict } from '../../../services/imports/settle-conflicts.ts';
import {
  type GivenAccount,
  proposeAccount,
  startFromStatement,
} from '../../../services/imports/start-from-statement.ts';
import { addRoute } from '../../add-route.ts';
import { sendPage } from '../../send-page.ts';

/** Files take several times their size in memory while they are read: few at a time. */
const IMPORT_SHARES = { process: 4, user: 2, token: 2 };
const RETRY_AFTER_SECONDS = 5;

export function registerStatements(
  server: FastifyInstance,
  context: Context & AccountSettings & { trades: TradeComputer },
): void {
  const places = server.places.create(
    'statements',
    'statements at a time',
    IMPORT_SHARES,
    RETRY_AFTER_SECONDS,
  );
  addRoute(
    server,
    importStatementOperation,
    async ({ principal, params, query, body, reply }) => {
      const account = await accessAccount(context, principal, params.accountId);
      const { force = false, adopt = true, dryRun = false, login, fileName } = query;
      const options = { force, adopt, login, fileName };
      if (dryRun) {
        reply.code(200);
        return tryStatement(context, account, body, options);
      }
      return importStatement(context, actorOf(principal), account, body, options);
    },
    { places },
  );
  addRoute(
    server,
    startFromStatementOperation,
    ({ principal, query, body, reply }) => {
      const { create = false, login } = query;
      reply.code(create ? 201 : 200);
      return create
        ? startFromStatement(context, principal, body, givenAccount(query), query.fileName)
        : proposeAccount(context, principal, body, login);
    },
    { places },
  );
  addRoute(server, listImportsOperation, async ({ principal, params, query, ...call }) => {
    const { limit = MAX_PAGE, offset = 0 } = query;
    const page = await readImports(context, principal, params.accountId, { limit, offset });
    return sendPage(call, page, presentImportSummary);
  });
  addRoute(server, readImportOperation, ({ principal, params }) =>
    readImport(context, principal, params.accountId, params.importId),
  );
  addRoute(server, settleConflictOperation, ({ principal, params, body }) =>
    settleConflict(context, principal, params, body.keep),
  );
  addRoute(server, deleteImportOperation, ({ principal, params }) =>
    deleteImport(context, principal, params.accountId, params.importId),
  );
}

type Given = Static<typeof startFromStatementOperation.querystring>;

/** The fields that are given. Throws `validation` for a shift of no zone. */
function givenAccount({ create: _, shiftHours, zone, ...given }: Given): GivenAccount {
  if (shiftHours !== undefined && zone === undefined) {
    throw invalid([{ parameter: 'zone', message: 'is required with shiftHours' }]);
  }
  return {
    ...given,
    brokerClock: zone === undefined ? undefined : { zone, shiftHours: shiftHours ?? 0 },
  };
}

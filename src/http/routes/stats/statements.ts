import type { FastifyInstance } from 'fastify';
import {
  deleteImportOperation,
  importStatementOperation,
  listImportsOperation,
  readImportOperation,
} from '../../../contract/operations/statements.ts';
import { accessAccount } from '../../../services/accounts/access-account.ts';
import { actorOf } from '../../../services/changes.ts';
import type { Context } from '../../../services/context.ts';
import { importStatement } from '../../../services/statements/import-statement.ts';
import {
  deleteImport,
  readImport,
  readImports,
} from '../../../services/statements/manage-imports.ts';
import type { TradeComputer } from '../../../services/trades/trade-computer.ts';
import { addRoute } from '../../add-route.ts';

export function registerStatements(
  server: FastifyInstance,
  context: Context & { trades: TradeComputer },
): void {
  addRoute(server, importStatementOperation, async ({ principal, params, query, body }) => {
    const account = await accessAccount(context, principal, params.accountId);
    const { force = false } = query;
    return importStatement(context, actorOf(principal), account, body, { force });
  });
  addRoute(server, listImportsOperation, ({ principal, params, query }) => {
    const { limit = 1000, offset = 0 } = query;
    return readImports(context, principal, params.accountId, { limit, offset });
  });
  addRoute(server, readImportOperation, ({ principal, params }) =>
    readImport(context, principal, params.accountId, params.importId),
  );
  addRoute(server, deleteImportOperation, ({ principal, params }) =>
    deleteImport(context, principal, params.accountId, params.importId),
  );
}

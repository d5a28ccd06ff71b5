import type { FastifyInstance } from 'fastify';
import { importStatementOperation } from '../../../contract/operations/statements.ts';
import { accessAccount } from '../../../services/accounts/access-account.ts';
import type { Context } from '../../../services/context.ts';
import { importStatement } from '../../../services/statements/import-statement.ts';
import type { TradeComputer } from '../../../services/trades/trade-computer.ts';
import { addRoute } from '../../add-route.ts';

export function registerStatements(
  server: FastifyInstance,
  context: Context & { trades: TradeComputer },
): void {
  addRoute(server, importStatementOperation, async ({ principal, params, query, body }) => {
    const account = await accessAccount(context, principal, params.accountId);
    return importStatement(context, account, body, query);
  });
}

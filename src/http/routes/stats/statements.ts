import type { FastifyInstance } from 'fastify';
import { importStatementOperation } from '../../../contract/operations/statements.ts';
import { accessAccount } from '../../../services/accounts/access-account.ts';
import type { Context } from '../../../services/context.ts';
import { Places } from '../../../services/places.ts';
import { importStatement } from '../../../services/statements/import-statement.ts';
import type { TradeComputer } from '../../../services/trades/trade-computer.ts';
import { addRoute } from '../../add-route.ts';

/** Files take several times their size in memory while they are read: few at a time. */
const IMPORT_SHARES = { process: 4, user: 2, token: 2 };
const RETRY_AFTER_SECONDS = 5;

export function registerStatements(
  server: FastifyInstance,
  context: Context & { trades: TradeComputer },
): void {
  const places = new Places('statements at a time', IMPORT_SHARES, RETRY_AFTER_SECONDS);
  addRoute(
    server,
    importStatementOperation,
    async ({ principal, params, body }) => {
      const account = await accessAccount(context, principal, params.accountId);
      return importStatement(context, account, body);
    },
    { places },
  );
}

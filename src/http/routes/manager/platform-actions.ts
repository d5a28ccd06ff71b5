import type { FastifyInstance } from 'fastify';
import {
  balanceOperation,
  changeAccountOperation,
  closePositionsOperation,
  readAccountSettingsOperation,
  readPendingOrdersOperation,
  readPositionsOperation,
  setPasswordOperation,
} from '../../../contract/operations/platform-actions.ts';
import { changeAccount } from '../../../services/platform-accounts/change-account.ts';
import { closePositions } from '../../../services/platform-accounts/close-positions.ts';
import { moveMoney } from '../../../services/platform-accounts/move-money.ts';
import {
  readAccountSettings,
  readPendingOrders,
  readPositions,
} from '../../../services/platform-accounts/read-platform.ts';
import { setPassword } from '../../../services/platform-accounts/set-password.ts';
import type { PlatformContext } from '../../../services/platform-accounts/use-platform.ts';
import { PLATFORMS } from '../../../words/accounts.ts';
import { addRoute } from '../../add-route.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';

export function registerPlatformActions(server: FastifyInstance, context: PlatformContext): void {
  for (const platform of PLATFORMS) {
    addRoute(server, readAccountSettingsOperation(platform), ({ principal, params }) =>
      readAccountSettings(context, principal, { platform, ...params }),
    );
    addRoute(server, readPositionsOperation(platform), ({ principal, params }) =>
      readPositions(context, principal, { platform, ...params }),
    );
    addRoute(server, readPendingOrdersOperation(platform), ({ principal, params }) =>
      readPendingOrders(context, principal, { platform, ...params }),
    );
    addRoute(server, changeAccountOperation(platform), ({ principal, params, headers, body }) => {
      const place = { platform, ...params, idempotencyKey: idempotencyKeyOf(headers) };
      return changeAccount(context, principal, place, body);
    });
    addRoute(server, setPasswordOperation(platform), ({ principal, params, headers, body }) => {
      const place = { platform, ...params, idempotencyKey: idempotencyKeyOf(headers) };
      return setPassword(context, principal, place, body);
    });
    addRoute(server, balanceOperation(platform), ({ principal, params, headers, body }) => {
      const place = { platform, ...params, idempotencyKey: idempotencyKeyOf(headers) ?? '' };
      return moveMoney(context, principal, place, body);
    });
    addRoute(server, closePositionsOperation(platform), ({ principal, params, headers, body }) => {
      const place = { platform, ...params, idempotencyKey: idempotencyKeyOf(headers) };
      return closePositions(context, principal, place, body);
    });
  }
}

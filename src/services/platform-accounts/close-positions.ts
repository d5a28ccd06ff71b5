import type { ClosingOutcome } from '../../platforms/gateway.ts';
import type { Principal } from '../context.ts';
import { notFound } from '../errors.ts';
import { type ActionPlace, allowedProfile } from './allowed-actions.ts';
import { runOperation } from './run-operation.ts';
import type { PlatformContext } from './use-platform.ts';

export type ClosePositionsInput = {
  /** If absent, all of the account. */
  positionIds?: string[] | undefined;
  cancelPendingOrders?: boolean | undefined;
};

/** Ids of closed positions, whoever closed them, and of those still open, with the reason. */
export type PositionsClosed = {
  closed: string[];
  cancelled: string[];
  failed: { id: string; message: string }[];
};

/**
 * Closes positions at the market; if requested, cancels pending orders first, so that none of them
 * opens another position. The outcome is the platform's state afterwards.
 */
export async function closePositions(
  context: PlatformContext,
  principal: Principal,
  { login, idempotencyKey, ...place }: ActionPlace,
  { positionIds, cancelPendingOrders = false }: ClosePositionsInput,
): Promise<PositionsClosed> {
  const profile = await allowedProfile(context, principal, place, ['closePositions']);
  const input = { ...(positionIds ? { positionIds } : {}), cancelPendingOrders };
  const operation = { profile, login, idempotencyKey, input, details: input };
  return runOperation(
    context,
    principal,
    { kind: 'close-positions', ...operation },
    {
      run: async (gateway) => {
        if (!(await gateway.settings(login))) throw notFound('Account');
        const cancelled = cancelPendingOrders
          ? await gateway.cancelOrders(login, undefined)
          : NOTHING;
        const closed = await gateway.closePositions(login, positionIds);
        const failed = [...cancelled.failed, ...closed.failed];
        return { closed: closed.done, cancelled: cancelled.done, failed };
      },
      note: (outcome) => outcome,
      isKept: true,
    },
  );
}

const NOTHING: ClosingOutcome = { done: [], failed: [] };

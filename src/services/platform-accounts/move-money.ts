import { currencyDigits } from '../../domain/money.ts';
import type { BalanceOperation, Gateway } from '../../platforms/gateway.ts';
import type { Principal } from '../context.ts';
import { invalidParameter, notFound } from '../errors.ts';
import { type ActionPlace, allowedProfile } from './allowed-actions.ts';
import { runOperation } from './run-operation.ts';
import type { PlatformContext } from './use-platform.ts';

export type BalanceOperationInput = Pick<BalanceOperation, 'amount' | 'comment'> & {
  type?: BalanceOperation['type'] | undefined;
};

/**
 * Moves money to or from an account, once for each idempotency key: the platform itself shows
 * whether it was done before. Throws `notFound` for an unknown login, `validation` if the platform
 * refuses the amount, for example because the account has too little money.
 */
export async function moveMoney(
  context: PlatformContext,
  principal: Principal,
  { login, idempotencyKey, ...place }: ActionPlace & { idempotencyKey: string },
  { type = 'DEAL_TYPE_BALANCE', amount, comment }: BalanceOperationInput,
): Promise<{ dealId: string }> {
  if (amount === 0) throw invalidParameter('amount', 'must not be 0');
  const profile = await allowedProfile(context, principal, place, ['balanceOperation']);
  const input = { type, amount, ...(comment === undefined ? {} : { comment }) };
  const operation = { profile, login, idempotencyKey, input, details: { type, amount } };
  return runOperation(
    context,
    principal,
    { kind: 'balance-operation', ...operation },
    {
      run: async (gateway, { requestId, firstSentMs }) => {
        await checkAmount(gateway, login, amount);
        return gateway.balanceOperation({ login, ...input, requestId, firstSentMs });
      },
      note: ({ dealId }) => ({ dealId }),
      isKept: true,
    },
  );
}

/** Platforms round amounts finer than the currency's smallest unit, or refuse them. */
async function checkAmount(gateway: Gateway, login: number, amount: number): Promise<void> {
  const information = await gateway.accountInformation(login);
  if (!information) throw notFound('Account');
  const digits = currencyDigits(information.currency);
  if (Number(amount.toFixed(digits)) !== amount)
    throw invalidParameter('amount', `must have at most ${digits} decimal digits`);
}

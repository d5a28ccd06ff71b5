import type { AccountSettings } from '../../platforms/gateway.ts';
import type { ProfileAction } from '../../words/actions.ts';
import type { Principal } from '../context.ts';
import { invalidParameter, notFound } from '../errors.ts';
import { type ActionPlace, allowedProfile } from './allowed-actions.ts';
import { runOperation } from './run-operation.ts';
import type { PlatformContext } from './use-platform.ts';

export type AccountChange = {
  [K in keyof AccountSettings]?: AccountSettings[K] | undefined;
};

/**
 * Changes only the given settings, and returns the platform's values afterwards, read back. Throws
 * `notFound` for an unknown login, `validation` for values that it does not accept.
 */
export async function changeAccount(
  context: PlatformContext,
  principal: Principal,
  { login, idempotencyKey, ...place }: ActionPlace,
  change: AccountChange,
): Promise<AccountSettings> {
  const given = givenOf(change);
  const actions = actionsOf(given);
  if (actions.length === 0)
    throw invalidParameter('body', 'must include at least one of the settings');
  const profile = await allowedProfile(context, principal, place, actions);
  const operation = { profile, login, idempotencyKey, input: given, details: { change: given } };
  const work = { note: ({ alsoChanged }: Changed) => ({ alsoChanged }), isKept: true };
  const { settings } = await runOperation<Changed>(
    context,
    principal,
    { kind: 'change-account', ...operation },
    {
      ...work,
      run: async (gateway) => {
        if (!(await gateway.settings(login))) throw notFound('Account');
        return gateway.changeSettings(login, given);
      },
    },
  );
  return settings;
}

type Changed = { settings: AccountSettings; alsoChanged: string[] };

function givenOf({
  enabled,
  tradingEnabled,
  group,
  leverage,
}: AccountChange): Partial<AccountSettings> {
  return {
    ...(enabled === undefined ? {} : { enabled }),
    ...(tradingEnabled === undefined ? {} : { tradingEnabled }),
    ...(group === undefined ? {} : { group }),
    ...(leverage === undefined ? {} : { leverage }),
  };
}

/** An account that cannot log in cannot trade, so both need the same right. */
function actionsOf({
  enabled,
  tradingEnabled,
  group,
  leverage,
}: Partial<AccountSettings>): ProfileAction[] {
  const actions = new Set<ProfileAction>();
  for (const isEnabled of [enabled, tradingEnabled])
    if (isEnabled !== undefined) actions.add(isEnabled ? 'enableTrading' : 'disableTrading');
  if (group !== undefined) actions.add('moveToGroup');
  if (leverage !== undefined) actions.add('changeLeverage');
  return [...actions];
}

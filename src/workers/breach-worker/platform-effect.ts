import type { Gateway } from '../../platforms/gateway.ts';
import { notFound } from '../../services/errors.ts';
import type { Operation } from '../../services/platform-accounts/operation.ts';
import type { BreachAction } from '../../storage/breach-action-store.ts';

/** An action on a platform: how to check that it took effect, and how to make it so. */
export type PlatformEffect = {
  kind: Operation['kind'];
  input: object;
  /** The state afterwards, as a sentence without a full stop. */
  words: string;
  isThere(gateway: Gateway): Promise<boolean>;
  /**
   * Returns the platform's refusals, if any; repeating it changes nothing more. `requireStill` is
   * called before each request, and throws if there must be no more requests.
   */
  bringAbout(gateway: Gateway, requireStill: () => Promise<void>): Promise<{ refused?: string }>;
};

/** The effect of an action; its functions throw `notFound` if the platform has no such login. */
export function effectOf(
  { action, groupName }: Pick<BreachAction, 'action' | 'groupName'>,
  login: number,
): PlatformEffect {
  switch (action) {
    case 'disableTrading':
      return settingEffect(login, { tradingEnabled: false }, 'Trading is disabled');
    case 'enableTrading':
      return settingEffect(login, { tradingEnabled: true }, 'Trading is enabled');
    case 'moveToGroup': {
      const group = groupName ?? '';
      return settingEffect(login, { group }, `The account is in the group ${group}`);
    }
    case 'closePositions':
      return closingEffect(login);
  }
}

function settingEffect(
  login: number,
  wanted: { tradingEnabled: boolean } | { group: string },
  words: string,
): PlatformEffect {
  return {
    ...{ kind: 'change-account', input: wanted, words },
    async isThere(gateway) {
      const settings = await gateway.settings(login);
      if (!settings) throw notFound('Account');
      return 'group' in wanted
        ? settings.group === wanted.group
        : settings.tradingEnabled === wanted.tradingEnabled;
    },
    async bringAbout(gateway, requireStill) {
      await requireStill();
      await gateway.changeSettings(login, wanted);
      return {};
    },
  };
}

/** Pending orders first, so that none of them opens another position. */
function closingEffect(login: number): PlatformEffect {
  return {
    kind: 'close-positions',
    input: { cancelPendingOrders: true },
    words: 'No position is open and no order is pending',
    async isThere(gateway) {
      if (!(await gateway.settings(login))) throw notFound('Account');
      const waiting = await gateway.pendingOrders(login);
      return waiting.length === 0 && (await gateway.positions(login)).length === 0;
    },
    async bringAbout(gateway, requireStill) {
      await requireStill();
      const cancelled = await gateway.cancelOrders(login, undefined);
      await requireStill();
      const closed = await gateway.closePositions(login, undefined);
      const [refused] = [...cancelled.failed, ...closed.failed];
      return refused ? { refused: `${refused.id}: ${refused.message}` } : {};
    },
  };
}

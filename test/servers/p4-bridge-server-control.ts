import type { SimulatedOperation } from '../../src/demo/platform/operation.ts';
import type { SimulatedGateway } from '../../src/demo/platform/simulated-gateway.ts';
import type { BookedOrder, BridgeSession } from './p4-bridge-server-answers.ts';

/** What clients and managers do on the p4 server elsewhere, the tests do here. */
export type BridgeControl =
  /** Trades of the account's holder. */
  | { do: 'operate'; operation: SimulatedOperation }
  /** Books an order as it is given; an old closing time makes it a late one. */
  | { do: 'book'; booked: BookedOrder }
  /** Takes an order out of the history, or puts another in its place. */
  | { do: 'remove'; order: number };

export async function control(
  gateway: SimulatedGateway,
  session: BridgeSession,
  command: BridgeControl,
): Promise<object> {
  if (command.do === 'operate') {
    const { operation } = command;
    await gateway.broker.operate(operation.login, () => operation);
  } else if (command.do === 'book') session.booked.push(command.booked);
  else session.removed.add(command.order);
  return {};
}

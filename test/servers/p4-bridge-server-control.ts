import { type ClosedOrder, ManagerLibrary } from '../../scripts/p4-bridge/library.ts';
import type { SimulatedOperation } from '../../src/demo/platform/operation.ts';
import { parseBrokerTime } from '../../src/domain/broker-time.ts';

/** An order of the history that the simulated server does not know. */
export type BookedOrder = { login: number; order: ClosedOrder };

/** Actions of clients and managers on a real p4 server are done by the tests here. */
export type BridgeControl =
  /** Trades of the account's holder. */
  | { do: 'operate'; operation: SimulatedOperation }
  /** Books an order as it is given; an old closing time makes it a late one. */
  | { do: 'book'; booked: BookedOrder }
  /** Takes an order out of the history, or puts another in its place. */
  | { do: 'remove'; order: number };

/** The manager session of the reference bridge, with changes by tests. */
export class TestLibrary extends ManagerLibrary {
  isLoggedOut = false;
  /** Whether logging in again does not help. */
  staysOut = false;
  readonly booked: BookedOrder[] = [];
  /** Tickets that managers took out of the history. */
  readonly removed = new Set<number>();

  override async logIn(): Promise<void> {
    this.isLoggedOut = this.isLoggedOut && this.staysOut;
  }

  override seen<T>(items: T[]): T[] {
    return this.isLoggedOut ? [] : items;
  }

  override async closedOrders(login: number, fromMs: number, toMs: number): Promise<ClosedOrder[]> {
    const booked = this.booked.flatMap((each) => {
      const closedMs = parseBrokerTime(each.order.closeTime) ?? 0;
      return each.login === login && closedMs >= fromMs && closedMs < toMs ? [each.order] : [];
    });
    const all = [...(await super.closedOrders(login, fromMs, toMs)), ...booked];
    return all.filter(({ order }) => !this.removed.has(order));
  }
}

export async function control(library: TestLibrary, command: BridgeControl): Promise<object> {
  if (command.do === 'operate') {
    const { operation } = command;
    await library.gateway.broker.operate(operation.login, () => operation);
  } else if (command.do === 'book') library.booked.push(command.booked);
  else library.removed.add(command.order);
  return {};
}

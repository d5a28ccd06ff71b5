import type { OpenPosition } from './open-position.ts';
import { createTradeState, type TradeState } from './trade-state.ts';

type Encoded = {
  balance: number;
  positions: [string, OpenPosition][];
  taken: { positions: string[]; forgotten: [string, number][]; operations: string[] };
};

/** Writes the state as JSON. Equal states give equal texts. */
export function encodeTradeState(state: TradeState): string {
  const positions = [...state.positions].map(([key, position]) => [key, inFixedOrder(position)]);
  const taken: Encoded['taken'] = {
    positions: [...state.taken.positions],
    forgotten: [...state.taken.forgotten],
    operations: [...state.taken.operations],
  };
  return JSON.stringify({ balance: state.balance, positions, taken }, writeBigInt);
}

/** Reads a text that `encodeTradeState` wrote. */
export function decodeTradeState(text: string): TradeState {
  const encoded: Encoded = JSON.parse(text, readBigInt);
  const { positions, forgotten, operations } = encoded.taken;
  return {
    ...createTradeState(),
    balance: encoded.balance,
    positions: new Map(encoded.positions),
    taken: {
      positions: new Set(positions),
      forgotten: new Map(forgotten),
      operations: new Set(operations),
    },
  };
}

/** The order in which properties were set must not change the text. */
function inFixedOrder(position: OpenPosition): OpenPosition {
  const { positionId, id, leg, type, symbol, entered, exited, entry, exit } = position;
  const { digits, decimals, openTimeMs, balanceBefore, comment, incomplete } = position;
  const { profit, swap, commission, fee, magic, stopLoss, takeProfit } = position;
  return {
    ...{ positionId, id, leg, type, symbol, entered, exited, entry, exit },
    ...{ digits, decimals, openTimeMs, balanceBefore, comment, incomplete },
    ...{ magic, stopLoss, takeProfit },
    ...{ profit, swap, commission, fee },
  };
}

const writeBigInt = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? `${value}` : value;

/** Only the sums of prices are stored under this name. */
const readBigInt = (key: string, value: string): unknown => (key === 'sum' ? BigInt(value) : value);

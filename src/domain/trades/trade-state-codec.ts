import type { OpenPosition } from './open-position.ts';
import { createTradeState, type TradeRules, type TradeState } from './trade-state.ts';

type Encoded = {
  balance: number;
  last?: TradeState['last'];
  positions: [string, OpenPosition][];
  legs: [string, number][];
};

/** Writes the state as JSON; the rules are not part of it. Equal states give equal texts. */
export function encodeTradeState(state: TradeState): string {
  const { balance, last, legs } = state;
  const positions = [...state.positions].map(([key, position]) => [key, inFixedOrder(position)]);
  return JSON.stringify({ balance, last, positions, legs: [...legs] }, writeBigInt);
}

/** Reads a text that `encodeTradeState` wrote. */
export function decodeTradeState(text: string, rules: TradeRules = {}): TradeState {
  const encoded: Encoded = JSON.parse(text, readBigInt);
  return {
    ...createTradeState(rules),
    balance: encoded.balance,
    last: encoded.last,
    positions: new Map(encoded.positions),
    legs: new Map(encoded.legs),
  };
}

/** Properties that were set late must not change the text. */
function inFixedOrder(position: OpenPosition): OpenPosition {
  const { positionId, type, symbol, closedLegs, entered, exited, entry, exit } = position;
  const { digits, decimals, openTimeMs, balanceBefore, comment, incomplete } = position;
  const { profit, swap, commission, fee } = position;
  return {
    ...{ positionId, type, symbol, closedLegs, entered, exited, entry, exit },
    ...{ digits, decimals, openTimeMs, balanceBefore, comment, incomplete },
    ...{ profit, swap, commission, fee },
  };
}

const writeBigInt = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? `${value}` : value;

/** The sums of prices are the only values under this name. */
const readBigInt = (key: string, value: string): unknown => (key === 'sum' ? BigInt(value) : value);

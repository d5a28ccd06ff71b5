import type { Deal } from '../../src/domain/deal.ts';
import { insertNewDeals } from '../../src/ingest/store-deals.ts';
import type { Database } from '../../src/storage/database.ts';

const FIRST_MS = Date.UTC(2018, 0, 1);
const DAYS_MS = 2000 * 86_400_000;
const DEALS_PER_COMMIT = 10_000;

const SYMBOLS = ['EURUSD', 'GBPUSD', 'AUDUSD', 'NZDUSD', 'USDCHF'];

const COMMENTS = ['Breakout', 'Grid', 'by hand'];

/** The two deals of a position; positions are spread evenly over the same 2 000 days. */
function dealsOf(index: number, positions: number): Deal[] {
  const timeMs = FIRST_MS + Math.floor((index / positions) * DAYS_MS);
  const profit = ((index * 7919) % 20_001) - 9800;
  const common = {
    positionId: `${index}`,
    symbol: SYMBOLS[index % SYMBOLS.length] ?? '',
    magic: index % 3,
    comment: COMMENTS[index % COMMENTS.length] ?? '',
    volume: 10_000_000,
    fee: 0,
    digits: 5,
  };
  return [
    {
      ...{ ...common, id: `${2 * index}`, type: 'DEAL_TYPE_BUY', entry: 'DEAL_ENTRY_IN' },
      ...{ timeMs, price: 1.08412, profit: 0, swap: 0, commission: -70 },
    },
    {
      ...{ ...common, id: `${2 * index + 1}`, type: 'DEAL_TYPE_SELL', entry: 'DEAL_ENTRY_OUT' },
      ...{ timeMs: timeMs + 60_000, price: 1.08523, profit, swap: -12, commission: 0 },
    },
  ];
}

/** Stores a deposit and the deals of so many positions. */
export async function storeDeals(
  database: Database,
  accountNumber: number,
  positions: number,
): Promise<void> {
  const zero = { volume: 0, swap: 0, commission: 0, fee: 0 };
  let deals: Deal[] = [
    { id: 'deposit', type: 'DEAL_TYPE_BALANCE', timeMs: FIRST_MS - 1, profit: 1e9, ...zero },
  ];
  for (let index = 0; index < positions; index += 1) {
    deals.push(...dealsOf(index, positions));
    if (deals.length < DEALS_PER_COMMIT && index < positions - 1) continue;
    const some = deals;
    await database.transaction((tx) => insertNewDeals(tx, accountNumber, some));
    deals = [];
  }
}

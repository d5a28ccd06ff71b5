import { EURJPY, EURUSD, GBPUSD, USDCHF, USDJPY, XAUUSD } from './market.ts';
import { simulateNetting } from './netting.ts';
import { type P4Account, p4StatementPage } from './p4-statement.ts';
import { type P5Account, p5HistoryPage, p5HistoryWorkbook } from './p5-report.ts';
import { SPACED } from './print.ts';
import { type Sample, simulateHedging } from './trading.ts';

const at = (text: string) => Date.parse(`${text}Z`);
const FROM = at('2026-05-18T00:00:00');
const END = at('2026-11-20T23:00:00');

export const P5_ACCOUNT: P5Account = {
  ...{ login: '200001', name: 'Harbour Swing', broker: 'Plimsoll Sample Broker' },
  ...{ server: 'Sample-Demo', currency: 'USD', leverage: 100, mode: 'Hedge', moneyDigits: 2 },
  ...{ language: 'en', look: SPACED },
};
export const P4_ACCOUNT: P4Account = {
  ...{ login: '100001', name: 'Breakwater', broker: 'Plimsoll Sample Broker', currency: 'USD' },
  ...{ leverage: 100, moneyDigits: 2 },
};
export const NETTING_ACCOUNT: P5Account = {
  ...{ login: '200002', name: 'Tidal Yen', broker: 'Plimsoll Sample Broker' },
  ...{ server: 'Sample-Demo', currency: 'JPY', leverage: 25, mode: 'Netting', moneyDigits: 0 },
  ...{ language: 'en', look: SPACED },
};

export const hedgingSample = (seed = 6): Sample =>
  simulateHedging({
    ...{ seed, fromMs: FROM, endMs: END, symbols: [EURUSD, GBPUSD], pace: 0.11 },
    ...{ lots: [0.1, 0.2, 0.2, 0.3, 0.4], skill: 0.6, commissionPerLotSide: 3.5, moneyDigits: 2 },
    operations: [
      { timeMs: at('2026-05-15T10:12:44'), amount: 10_000, type: 'balance', comment: 'Deposit' },
      { timeMs: at('2026-08-03T09:30:02'), amount: 2_500, type: 'balance', comment: 'Deposit' },
      { timeMs: at('2026-10-05T16:41:37'), amount: -1_000, type: 'balance', comment: 'Withdrawal' },
    ],
  });

export const p4Sample = (seed = 4): Sample =>
  simulateHedging({
    ...{ seed, fromMs: FROM, endMs: END, symbols: [EURUSD, USDCHF, XAUUSD], pace: 0.11 },
    ...{ lots: [0.02, 0.02, 0.03, 0.05], skill: 0.6, commissionPerLotSide: 3, moneyDigits: 2 },
    operations: [
      { timeMs: at('2026-05-15T08:00:11'), amount: 5_000, type: 'balance', comment: 'Deposit' },
      { timeMs: at('2026-07-31T23:59:00'), amount: 3.17, type: 'balance', comment: 'Interest' },
      { timeMs: at('2026-09-14T12:20:45'), amount: -750, type: 'balance', comment: 'Withdrawal' },
    ],
  });

export const nettingSample = (seed = 4): Sample =>
  simulateNetting({
    ...{ seed, fromMs: FROM, endMs: END, symbols: [USDJPY, EURJPY], pace: 0.042 },
    ...{ lots: [0.1, 0.1, 0.2], skill: 0.53, commissionPerLotSide: 350, moneyDigits: 0 },
    operations: [
      { timeMs: at('2026-05-15T09:05:00'), amount: 1_500_000, type: 'balance', comment: 'Deposit' },
    ],
  });

/** The files that `demo` imports, by name. */
export const demoStatements = (): Record<string, Buffer> => ({
  'p5-hedging-eurusd-gbpusd.xlsx': p5HistoryWorkbook(hedgingSample(), P5_ACCOUNT),
  'p4-statement.htm': p4StatementPage(p4Sample(), P4_ACCOUNT),
  'p5-netting-jpy.html': p5HistoryPage(nettingSample(), NETTING_ACCOUNT),
});

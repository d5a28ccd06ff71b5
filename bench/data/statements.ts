import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EURUSD, GBPUSD } from '../../scripts/sample-statements/market.ts';
import { p4StatementPage } from '../../scripts/sample-statements/p4-statement.ts';
import { p5HistoryWorkbook } from '../../scripts/sample-statements/p5-report.ts';
import { P4_ACCOUNT, P5_ACCOUNT } from '../../scripts/sample-statements/samples.ts';
import { type Sample, simulateHedging } from '../../scripts/sample-statements/trading.ts';
import type { Bench } from '../row.ts';

const SEED = 1;
const YEARS = 16;
const QUICK_YEARS = 2;
/** A report of less would be no work. */
const LEAST_SHARE = 0.1;
const POSITIONS_AN_HOUR = 0.45;
const END_MS = Date.UTC(2026, 9, 30, 23);
const DAY_MS = 86_400_000;

export type StatementFile = { format: string; file: string; bytes: Uint8Array<ArrayBuffer> };

/** The same trading of 16 years, of more than 100 000 deals, as reports in both formats. */
export async function writeStatements(
  folder: string,
  { quick, share }: Pick<Bench, 'quick' | 'share'>,
): Promise<StatementFile[]> {
  const sample = tradingOf((quick ? QUICK_YEARS : YEARS) * Math.max(share, LEAST_SHARE));
  const reports = [
    { format: 'p5 xlsx', name: 'p5.xlsx', bytes: p5HistoryWorkbook(sample, P5_ACCOUNT) },
    { format: 'p4 html', name: 'p4.htm', bytes: p4StatementPage(sample, P4_ACCOUNT) },
  ];
  return Promise.all(
    reports.map(async ({ format, name, bytes }) => {
      const file = join(folder, name);
      await writeFile(file, bytes);
      return { format, file, bytes: new Uint8Array(bytes) };
    }),
  );
}

function tradingOf(years: number): Sample {
  const fromMs = END_MS - Math.round(years * 365) * DAY_MS;
  return simulateHedging({
    ...{ seed: SEED, endMs: END_MS, fromMs, symbols: [EURUSD, GBPUSD], pace: POSITIONS_AN_HOUR },
    ...{ lots: [0.1, 0.2], skill: 0.55, commissionPerLotSide: 3.5, moneyDigits: 2 },
    operations: [
      { timeMs: fromMs - 3 * DAY_MS, amount: 1_000_000, type: 'balance', comment: 'Deposit' },
    ],
  });
}

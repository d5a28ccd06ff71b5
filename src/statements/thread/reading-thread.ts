/** The thread that reads one statement: bytes come in, the statement goes out page by page. */
import { createHash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import type { Deal } from '../../domain/deal.ts';
import { moneyDigits } from '../../domain/money.ts';
import { GivingWay } from '../../threads/giving-way.ts';
import { stepBack } from '../../threads/step-back.ts';
import { reconcile } from '../outcome/reconcile.ts';
import { summarise } from '../outcome/summary.ts';
import { readStatement } from '../read-statement.ts';
import { UnreadableStatement } from '../unreadable-statement.ts';
import type { FromWorker, ToWorker } from './messages.ts';

/** Deals transferred at a time. */
const PAGE_DEALS = 1_000;
/** Reported steps of progress. */
const PROGRESS_STEP = 0.02;
/** Steps after which it gives way: in all it rests for at most 20 of its 90 seconds. */
const REST_STEP = 0.005;

stepBack();

const send = (message: FromWorker): void => parentPort?.postMessage(message);

let deals: Deal[] = [];
let sent = 0;

async function read(message: ToWorker & { kind: 'read' }): Promise<FromWorker> {
  const { bytes, kind: _, ...options } = message;
  let told = 0;
  let rested = 0;
  const givingWay = new GivingWay();
  const onProgress = (doneShare: number) => {
    if (doneShare - rested >= REST_STEP) {
      rested = doneShare;
      givingWay.rest();
    }
    if (doneShare - told < PROGRESS_STEP) return;
    told = doneShare;
    send({ kind: 'progress', doneShare });
  };
  try {
    const contentHash = createHash('sha256').update(bytes).digest('hex');
    const first = await readStatement(bytes, { ...options, onProgress });
    // A report in another currency is read in its units: the account may take the report's
    // currency.
    const { currency } = first.stated;
    const digits = currency === undefined ? options.moneyDigits : moneyDigits(currency);
    const isOther = digits !== options.moneyDigits;
    const statement = isOther
      ? await readStatement(bytes, { ...options, moneyDigits: digits, onProgress })
      : first;
    const { deals: all, ...rest } = statement;
    deals = all;
    const reconciliation = reconcile(statement, digits);
    const head = { ...rest, contentHash, summary: summarise(all), reconciliation };
    return { kind: 'head', head };
  } catch (error) {
    if (error instanceof UnreadableStatement)
      return {
        ...{ kind: 'unreadable', expected: error.expected },
        ...{ where: error.where, table: error.table },
      };
    const { message: text, stack } = error instanceof Error ? error : new Error(String(error));
    return { kind: 'failed', message: text, stack };
  }
}

parentPort?.on('message', (message: ToWorker) => {
  if (message.kind === 'read') {
    sent = 0;
    void read(message).then(send);
    return;
  }
  send({ kind: 'page', deals: deals.slice(sent, sent + PAGE_DEALS) });
  sent += PAGE_DEALS;
  if (sent >= deals.length) [deals, sent] = [[], 0];
});

import { setTimeout as delay } from 'node:timers/promises';
import { DAY_MS } from '../../domain/broker-time.ts';
import { BALANCE_OPERATIONS } from '../../words/deals.ts';
import { type BalanceOperation, PlatformError } from '../gateway.ts';
import { markedComment, operationMark } from '../operation-mark.ts';
import { batchOf } from './batches.ts';
import type { P5Client } from './client.ts';
import { isRecord, numberOf, type P5Record, textOf } from './record.ts';
import { RetcodeError } from './retcode.ts';

/** A server may finish begun work for a moment after the connection broke. */
const LOOKS = 3;
const LOOK_PAUSE_MS = 300;

/** Number of the first of them among the actions of deals (2 balance … 6 bonus). */
const FIRST_ACTION = 2;

/** Later than any deal: the end of the year 2099. */
const FOR_EVER_SEC = 4_102_444_799;

/**
 * Deposits or withdraws, once for each request id. The mark of the request in the deal's comment is
 * looked for first, and again if the answer is lost: only the platform's memory counts.
 */
export async function balanceOperation(
  client: P5Client,
  operation: BalanceOperation,
): Promise<{ dealId: string }> {
  const { login, type, amount } = operation;
  const comment = markedComment(operation.comment, operation.requestId);
  const done = await findOperation(client, operation);
  if (done) return done;
  const params = {
    ...{ login, type: FIRST_ACTION + BALANCE_OPERATIONS.indexOf(type) },
    ...{ balance: plain(amount), comment, check_margin: 1 },
  };
  try {
    const call = { command: '/api/trade/balance', params, repeatable: false };
    const { answer } = await client.call(call);
    const ticket = isRecord(answer) ? textOf(answer, 'Ticket') || textOf(answer, 'ticket') : '';
    if (/^[1-9]\d*$/.test(ticket)) return { dealId: ticket };
    throw new PlatformError(
      'unavailable',
      'the server did not return the ticket of the operation',
      {
        outcomeUnknown: true,
      },
    );
  } catch (error) {
    // A refusal of the values has no effect.
    if (error instanceof RetcodeError) throw error;
    if (!(error instanceof PlatformError && error.outcomeUnknown)) throw error;
    for (let look = 1; look <= LOOKS; look += 1) {
      const found = await findOperation(client, operation).catch(() => undefined);
      if (found) return found;
      if (look < LOOKS) await delay(LOOK_PAUSE_MS, undefined, { ref: false });
    }
    throw error;
  }
}

async function findOperation(
  client: P5Client,
  operation: BalanceOperation,
): Promise<{ dealId: string } | undefined> {
  const mark = operationMark(operation.requestId);
  // A day earlier, as the server's wall clock may be in any zone.
  const from = Math.max(0, Math.floor((operation.firstSentMs - DAY_MS) / 1000));
  const params = { login: operation.login, from, to: FOR_EVER_SEC };
  const rows = await batchOf(client, '/api/deal/get_batch', params);
  const found = rows.find(
    (row) =>
      textOf(row, 'Comment').endsWith(mark) && textOf(row, 'Login') === String(operation.login),
  );
  if (!found) return undefined;
  if (!isSame(found, operation))
    throw new PlatformError('invalid', 'this id was used for an operation with another amount');
  return { dealId: textOf(found, 'Deal') };
}

const isSame = (deal: P5Record, { type, amount }: BalanceOperation): boolean =>
  numberOf(deal, 'Profit') === amount &&
  numberOf(deal, 'Action') === FIRST_ACTION + BALANCE_OPERATIONS.indexOf(type);

/** Without an exponent. */
const plain = (amount: number): string => amount.toFixed(8).replace(/\.?0+$/, '');

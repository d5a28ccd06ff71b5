import { PlatformError } from '../../platforms/gateway.ts';
import type { Principal } from '../context.ts';
import { ServiceError, unavailable } from '../errors.ts';
import { OPERATION_KINDS, type Operation, type OperationWork } from './operation.ts';
import { OperationRecord } from './operation-record.ts';
import { serviceErrorOf } from './platform-errors.ts';
import type { PlatformContext } from './use-platform.ts';

/**
 * Runs an operation on a platform. The intention is stored and audited before, the outcome
 * afterwards: a crash in between leaves a trace, and a repeated request asks the platform for the
 * outcome, so that there is one effect for each idempotency key. Throws `conflict` for a key used
 * with other values, `unavailable` while a request with the key is running.
 */
export async function runOperation<T extends object>(
  context: PlatformContext,
  principal: Principal,
  operation: Operation,
  { run, note, isKept }: OperationWork<T>,
): Promise<T> {
  const record = new OperationRecord(context, principal, operation);
  const begun = await record.begin();
  if ('result' in begun) return JSON.parse(begun.result) as T;
  const { attempt } = begun;
  let outcome: T;
  try {
    outcome = await context.gateways.use(operation.profile, (gateway) => run(gateway, attempt));
  } catch (error) {
    const failure = failureOf(error, operation);
    await record.end({
      ...{ word: failure.isUnknown ? 'unknown' : 'failed', details: { message: failure.message } },
      settleMs: failure.isUnknown ? OPERATION_KINDS[operation.kind].settleMs : 0,
      // A refused request had no effect, so its key may be used with better values.
      isForgotten: failure.isRefusal && !attempt.repeated,
    });
    throw failure.told;
  }
  const result = isKept ? JSON.stringify(outcome) : null;
  await record.end({ word: 'done', details: note(outcome), result });
  return outcome;
}

type Failure = { told: unknown; message: string; isUnknown: boolean; isRefusal: boolean };

function failureOf(error: unknown, { idempotencyKey }: Operation): Failure {
  if (error instanceof PlatformError) {
    const told = serviceErrorOf(error);
    const { message } = told;
    if (!error.outcomeUnknown)
      return { told, message, isUnknown: false, isRefusal: error.code === 'invalid' };
    const advice =
      idempotencyKey === undefined
        ? 'look at the account before you try again'
        : 'send it again with the same Idempotency-Key';
    const words = `${message}. It is unknown whether it took effect: ${advice}`;
    return {
      ...{ told: unavailable(words, told.retryAfterSeconds ?? 5), message },
      ...{ isUnknown: true, isRefusal: false },
    };
  }
  // Our own checks refuse a request before the platform is called.
  const isRefusal = error instanceof ServiceError && error.code !== 'unavailable';
  const message = error instanceof ServiceError ? error.message : 'internal error';
  return { told: error, message, isUnknown: !isRefusal, isRefusal };
}

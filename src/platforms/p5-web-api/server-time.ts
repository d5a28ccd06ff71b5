import type { BrokerTimeMs } from '../../domain/broker-time.ts';
import { PlatformError } from '../gateway.ts';
import { isRecord, type P5Record, textOf } from './record.ts';

/** Seconds of the server's own wall clock, possibly followed by finer parts. */
export function serverTimeMs(answer: P5Record): BrokerTimeMs {
  const inner = isRecord(answer.answer) ? answer.answer : answer;
  for (const key of ['time', 'Time', 'TIME', 'TimeServer']) {
    const seconds = Number(/^\d{9,10}\b/.exec(textOf(inner, key))?.[0]);
    if (seconds > 0) return seconds * 1000;
  }
  throw new PlatformError('unavailable', 'the trading server did not return its time');
}

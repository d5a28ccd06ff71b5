import type { BrokerTimeMs } from '../broker-time.ts';
import type { Money } from '../money.ts';
import { highPart, lowPart, sumOf } from './hour-sum.ts';
import type { EquityMinute } from './live-records.ts';

/*
 * Layout of a minute: how much later its last moment is than that of the minute before; then last
 * balance and equity, less those of the minute before, and the least and greatest of both, less the
 * last ones. A distance between amounts is that of their high and low parts, so it is exact, and of
 * 30 bits at most. All are varints, the sign in the lowest bit: some 20 bytes in all.
 */
const LONGEST_BYTES = 4 + 12 * 5;

/** Minutes in order, not before `startMs`, as bytes. */
export function encodeMinutes(
  startMs: BrokerTimeMs,
  minutes: readonly EquityMinute[],
): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(minutes.length * LONGEST_BYTES);
  let at = 0;
  const write = (value: number): void => {
    let rest = value < 0 ? -2 * value - 1 : 2 * value;
    for (; rest >= 128; rest >>= 7) {
      bytes[at] = (rest & 127) | 128;
      at += 1;
    }
    bytes[at] = rest;
    at += 1;
  };
  const writeAmount = (amount: Money, from: Money): void => {
    write(highPart(amount) - highPart(from));
    write(lowPart(amount) - lowPart(from));
  };
  let before = { lastTimeMs: startMs, lastBalance: 0, lastEquity: 0 };
  for (const minute of minutes) {
    const { lastTimeMs, lastBalance, lastEquity } = minute;
    write(lastTimeMs - before.lastTimeMs);
    writeAmount(lastBalance, before.lastBalance);
    writeAmount(lastEquity, before.lastEquity);
    writeAmount(minute.minBalance, lastBalance);
    writeAmount(minute.maxBalance, lastBalance);
    writeAmount(minute.minEquity, lastEquity);
    writeAmount(minute.maxEquity, lastEquity);
    before = minute;
  }
  return bytes.slice(0, at);
}

export function decodeMinutes(startMs: BrokerTimeMs, bytes: Uint8Array): EquityMinute[] {
  let at = 0;
  const read = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at] ?? 0;
      at += 1;
      value |= (byte & 127) << shift;
      if (byte < 128) return value & 1 ? -((value + 1) >> 1) : value >> 1;
    }
  };
  const readAmount = (from: Money): Money => sumOf(highPart(from) + read(), lowPart(from) + read());
  const minutes: EquityMinute[] = [];
  let before = { lastTimeMs: startMs, lastBalance: 0, lastEquity: 0 };
  while (at < bytes.length) {
    const lastTimeMs = before.lastTimeMs + read();
    const lastBalance = readAmount(before.lastBalance);
    const lastEquity = readAmount(before.lastEquity);
    const minute: EquityMinute = {
      ...{ lastTimeMs, lastBalance, lastEquity },
      ...{ minBalance: readAmount(lastBalance), maxBalance: readAmount(lastBalance) },
      ...{ minEquity: readAmount(lastEquity), maxEquity: readAmount(lastEquity) },
    };
    minutes.push(minute);
    before = minute;
  }
  return minutes;
}

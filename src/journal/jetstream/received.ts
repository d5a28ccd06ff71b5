import { receiptOf } from '../commit-codec.ts';
import type { Stream } from './stream.ts';

/**
 * The last message in (after, until] such that it and those before it were received before a time;
 * `after` if there is none. Clocks of processes differ, so times are only nearly ascending.
 */
export async function lastReceivedBefore(
  stream: Stream,
  after: number,
  until: number,
  beforeMs: number,
): Promise<number> {
  let low = Math.max(after, (await stream.state()).first - 1);
  let high = until;
  // Usually all of them are old, so the last is read first.
  for (let at = until; low < high; at = Math.ceil((low + high) / 2)) {
    const message = await stream.get(at);
    // A message missing on the replica is young.
    const isOld = message !== undefined && receiptOf(message.body) < beforeMs;
    if (isOld) low = at;
    else high = at - 1;
  }
  return low;
}

import { receiptOf } from '../commit-codec.ts';
import type { Stream } from './stream.ts';

/**
 * The last of the messages in (after, until] such that it and all before it were received before a
 * time; `after` where none was. Clocks of processes differ, so times only nearly go up.
 */
export async function lastReceivedBefore(
  stream: Stream,
  after: number,
  until: number,
  beforeMs: number,
): Promise<number> {
  let low = Math.max(after, (await stream.state()).first - 1);
  let high = until;
  // Mostly all of them go, so the last is asked for first.
  for (let at = until; low < high; at = Math.ceil((low + high) / 2)) {
    const message = await stream.get(at);
    // One that the replica has not got yet is young.
    const isOld = message !== undefined && receiptOf(message.body) < beforeMs;
    if (isOld) low = at;
    else high = at - 1;
  }
  return low;
}

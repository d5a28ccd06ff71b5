import { metricsOf } from '../../test/servers/server-metrics.ts';

/** How often the event loop was held, by the bounds of the buckets in milliseconds. */
export async function heldOver(address: string): Promise<Map<number, number>> {
  const metrics = await metricsOf(address);
  const buckets = /^plimsoll_event_loop_delay_seconds_bucket\{le="([^"]+)"\} (\d+)$/gm;
  const all = [...metrics.matchAll(buckets)];
  return new Map(all.map(([, bound, count]) => [Number(bound) * 1000, Number(count)]));
}

/** The bound of the highest bucket that something came into meanwhile. */
export function longestOf(before: Map<number, number>, after: Map<number, number>): number {
  let longest = 0;
  let lower = 0;
  for (const [bound, count] of after) {
    const inBucket = count - (before.get(bound) ?? 0);
    if (inBucket > lower) longest = Number.isNaN(bound) ? Number.POSITIVE_INFINITY : bound;
    lower = inBucket;
  }
  return longest;
}

import { formatBrokerTime } from '../../src/domain/broker-time.ts';
import type { Random } from './random.ts';
import { type FeedBatch, timeOfWire, type WireDeal, type WireSnapshot } from './wire.ts';

/*
 * Ways in which the same facts of one account may arrive. Each snapshot of the plain feed carries
 * the deals that it is the first to include.
 */

/** The items sent at once. */
export type Send = { snapshots: WireSnapshot[] } | { deals: WireDeal[] };
export type Twin = 'plain' | 'seconds' | 'order' | 'bodies' | 'rows' | 'clock';
export const TWINS: readonly Twin[] = ['plain', 'seconds', 'order', 'bodies', 'rows', 'clock'];

/** Snapshots that a deal may come after its own. */
const MOST_LATE = 12;
const MOST_IN_A_BODY = 9;
const HALF_HOUR_MS = 1_800_000;

/** All snapshots of an account, with their deals. */
export const snapshotsOf = (batches: readonly FeedBatch[], accountId: string): WireSnapshot[] =>
  batches.flatMap((batch) =>
    batch.kind === 'snapshots'
      ? batch.snapshots.filter((snapshot) => snapshot.accountId === accountId)
      : [],
  );

/**
 * A twin's requests up to a snapshot, and those after it: actions in between happen in the same gap
 * as for the others. Its accounts have names of their own.
 */
export function twinSends(
  twin: Twin,
  feed: readonly WireSnapshot[],
  gap: number,
  random: Random,
): { before: Send[]; after: Send[] } {
  const cut = feed.map((snapshot) => ({
    ...snapshot,
    ...(snapshot.deals ? { deals: snapshot.deals.map(wholeSecond) } : {}),
  }));
  switch (twin) {
    case 'plain':
      return cutAt(gap, inBodies(feed, random, gap));
    case 'bodies':
      return cutAt(
        gap,
        feed.map((snapshot) => ({ snapshots: [snapshot] })),
      );
    case 'rows':
      return cutAt(gap, inBodies(feed, random, gap).map(mixed(random)));
    case 'seconds':
      return cutAt(gap, inBodies(cut, random, gap));
    case 'clock':
      return cutAt(gap, inBodies(shifted(feed, random.between(-90, 90)), random, gap));
    case 'order':
      return cutAt(gap, dealtOut(random.chance(0.5) ? cut : feed, random));
  }
}

/** Several snapshots at once, but none beyond a gap with those before it. */
function inBodies(
  feed: readonly WireSnapshot[],
  random: Random,
  gap: number,
): { snapshots: WireSnapshot[] }[] {
  const sends: { snapshots: WireSnapshot[] }[] = [];
  for (let at = 0; at < feed.length; ) {
    const most = at < gap ? gap - at : feed.length - at;
    const count = Math.min(random.between(1, MOST_IN_A_BODY), most);
    sends.push({ snapshots: feed.slice(at, at + count) });
    at += count;
  }
  return sends;
}

/** The rows of a body in any order, except that those of one moment keep theirs. */
const mixed =
  (random: Random) =>
  ({ snapshots }: { snapshots: WireSnapshot[] }): Send => {
    const moments = Map.groupBy(snapshots, ({ brokerTime }) => brokerTime);
    const placed = [...moments.values()].map((rows) => ({ rows, at: random.next() }));
    return { snapshots: placed.sort((a, b) => a.at - b.at).flatMap(({ rows }) => rows) };
  };

/** Each snapshot alone; its deals before, with, or so many snapshots after it. */
function dealtOut(feed: readonly WireSnapshot[], random: Random): Send[] {
  const late = new Map<number, WireDeal[]>();
  const sends = feed.flatMap(({ deals = [], ...snapshot }, index): Send[] => {
    const own: WireDeal[] = [];
    const before: WireDeal[] = [];
    for (const deal of deals) {
      const kind = mustTravel(deal) ? 0 : random.next();
      if (kind < 0.3) own.push(deal);
      else if (kind < 0.5) before.push(deal);
      else {
        const after = random.chance(0.5) ? 0 : random.between(1, MOST_LATE);
        const at = Math.min(feed.length - 1, index + after);
        late.set(at, [...(late.get(at) ?? []), deal]);
      }
    }
    const now = late.get(index) ?? [];
    return [
      ...(before.length > 0 ? [{ deals: before }] : []),
      { snapshots: [own.length > 0 ? { ...snapshot, deals: own } : snapshot] },
      ...(now.length > 0 ? [{ deals: now }] : []),
    ];
  });
  return sends;
}

/** Some deals' places are never shown by a balance. */
const mustTravel = ({ type, profit, commission = 0 }: WireDeal): boolean =>
  type === 'DEAL_TYPE_CREDIT' || profit + commission === 0;

/** As many snapshots as the gap has before it, and what comes with them. */
function cutAt(gap: number, sends: readonly Send[]): { before: Send[]; after: Send[] } {
  let seen = 0;
  const last = sends.findIndex((send) => {
    seen += 'snapshots' in send ? send.snapshots.length : 0;
    return seen >= gap;
  });
  return { before: sends.slice(0, last + 1), after: sends.slice(last + 1) };
}

/** Stamped by another clock, except where that would take a snapshot into another period. */
function shifted(feed: readonly WireSnapshot[], ms: number): WireSnapshot[] {
  let last = Number.NEGATIVE_INFINITY;
  return feed.map((snapshot) => {
    const timeMs = timeOfWire(snapshot.brokerTime);
    const [from, to] = [timeMs - 100, timeMs + 100].map((one) => Math.floor(one / HALF_HOUR_MS));
    last = Math.max(last, from === to ? timeMs + ms : timeMs);
    return { ...snapshot, brokerTime: formatBrokerTime(last) };
  });
}

const wholeSecond = (deal: WireDeal): WireDeal =>
  deal.type === 'DEAL_TYPE_CREDIT'
    ? deal
    : { ...deal, brokerTime: `${deal.brokerTime.slice(0, 19)}.000` };

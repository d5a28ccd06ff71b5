import { encodeCommit } from './commit-codec.ts';
import { type Commit, type JournalEntry, WITHOUT_SNAPSHOT } from './entry.ts';

export type EncodedCommit = { commit: Commit; body: Uint8Array };

/**
 * A commit as bytes, split into several commits if it is too large for the log. Append them in this
 * order: an account's rows keep theirs, and deals stay with their row. Throws RangeError if a
 * single row is too large.
 */
export function encodeWithin(commit: Commit, maxBytes: number): EncodedCommit[] {
  const body = encodeCommit(commit);
  if (body.byteLength <= maxBytes) return [{ commit, body }];
  return halvesOf(commit).flatMap((half) => encodeWithin(half, maxBytes));
}

function halvesOf({ receivedUtcMs, entries }: Commit): Commit[] {
  const all = [...entries];
  const [only] = all;
  if (!only) throw new RangeError('The log does not accept even an empty commit');
  const parts: [number, JournalEntry][][] =
    all.length > 1
      ? [all.slice(0, all.length >> 1), all.slice(all.length >> 1)]
      : halvesOfEntry(only[1]).map((entry) => [[only[0], entry]]);
  return parts.map((part) => ({ receivedUtcMs, entries: new Map(part) }));
}

/** Splits an entry: deals without a snapshot come first; a command is never with anything else. */
function halvesOfEntry(entry: JournalEntry): JournalEntry[] {
  const { rowCount, deals } = entry;
  const lone = deals.filter(([, row]) => row === WITHOUT_SNAPSHOT).length;
  if (lone > 0 && rowCount > 0)
    return [partOf(entry, 0, 0, 0, lone), partOf(entry, 0, rowCount, lone)];
  if (rowCount > 1) {
    const middle = rowCount >> 1;
    const firstOfSecond = deals.findIndex(([, row]) => row >= middle);
    const split = firstOfSecond < 0 ? deals.length : firstOfSecond;
    return [partOf(entry, 0, middle, 0, split), partOf(entry, middle, rowCount, split)];
  }
  if (rowCount === 0 && deals.length > 1) {
    const middle = deals.length >> 1;
    return [partOf(entry, 0, 0, 0, middle), partOf(entry, 0, 0, middle)];
  }
  throw new RangeError('A snapshot with its deals is larger than the log accepts');
}

/** Some rows and deals of an entry, with only the accounts needed. */
function partOf(
  entry: JournalEntry,
  fromRow: number,
  toRow: number,
  fromDeal: number,
  toDeal = entry.deals.length,
): JournalEntry {
  const places = new Map<number, number>();
  const placeOf = (place: number): number => {
    const known = places.get(place) ?? places.size;
    places.set(place, known);
    return known;
  };
  const account = entry.account.slice(fromRow, toRow).map(placeOf);
  const deals = entry.deals.slice(fromDeal, toDeal).map(([of, row, ...deal]) => {
    const own = row === WITHOUT_SNAPSHOT ? row : row - fromRow;
    return [placeOf(of), own, ...deal] as const;
  });
  return {
    receivedUtcMs: entry.receivedUtcMs,
    accounts: Uint32Array.from(places.keys(), (place) => entry.accounts[place] ?? 0),
    deals,
    command: undefined,
    rowCount: toRow - fromRow,
    timeMs: entry.timeMs.slice(fromRow, toRow),
    balance: entry.balance.slice(fromRow, toRow),
    equity: entry.equity.slice(fromRow, toRow),
    account,
  };
}

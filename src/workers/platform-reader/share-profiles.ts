import type { ProfileReading } from '../../storage/profile-reading-store.ts';

/** A profile costs a little, however few accounts it has. */
const COST_OF_A_PROFILE = 10;

const costOf = ({ accounts }: ProfileReading): number => accounts + COST_OF_A_PROFILE;

/**
 * The moves of a process so that all read about equally many accounts: which free profiles it
 * takes, and which one it releases for a process with much less work. All processes make the same
 * plan, so that they rarely want the same profile.
 */
export function shareProfiles(
  own: string,
  processes: readonly string[],
  readings: readonly ProfileReading[],
): { take: string[]; leave: string | undefined } {
  const loads = new Map([...processes, own].toSorted().map((id) => [id, 0]));
  const add = (id: string, cost: number): void => void loads.set(id, (loads.get(id) ?? 0) + cost);
  for (const reading of readings) if (reading.reader) add(reading.reader, costOf(reading));
  const idlest = (): string =>
    [...loads].reduce((least, each) => (each[1] < least[1] ? each : least))[0];
  const take: string[] = [];
  const free = readings.filter(({ reader }) => reader === undefined);
  for (const reading of free.toSorted((a, b) => costOf(b) - costOf(a))) {
    const taker = idlest();
    add(taker, costOf(reading));
    if (taker === own) take.push(reading.profileId);
  }
  const surplus = (loads.get(own) ?? 0) - (loads.get(idlest()) ?? 0);
  // After a move, this process must not have less work than the other.
  const movable = readings.filter((each) => each.reader === own && 2 * costOf(each) <= surplus);
  const largest = movable.toSorted((a, b) => costOf(b) - costOf(a))[0];
  return { take, leave: take.length > 0 ? undefined : largest?.profileId };
}

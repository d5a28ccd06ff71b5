/**
 * Broker time is a wall clock of the trading server, with no zone of its own. It is held as the
 * milliseconds since 1970 that the same wall clock would have in UTC (the way the platforms write
 * it themselves), so order, difference and calendar arithmetic need no zone at all.
 * The zone matters only where UTC comes in: see `BrokerClock`.
 */
export type BrokerTimeMs = number;

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** When the hour of a time began. */
export const startOfHour = (timeMs: number): number => Math.floor(timeMs / HOUR_MS) * HOUR_MS;

/** When the minute of a time began. */
export const startOfMinute = (timeMs: number): number => Math.floor(timeMs / MINUTE_MS) * MINUTE_MS;

const PATTERN = /^(\d{4})-(\d{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2})(?:\.(\d{3}))?$/;

/** Reads `YYYY-MM-DD HH:mm:ss[.SSS]`; undefined for other text and for dates that do not exist. */
export function parseBrokerTime(text: string): BrokerTimeMs | undefined {
  const match = PATTERN.exec(text);
  if (!match) return undefined;
  const [year, month, day, hour, minute, second, ms] = match
    .slice(1)
    .map((part) => Number(part ?? 0)) as [number, number, number, number, number, number, number];
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const dateMs = brokerDateMs(year, month, day);
  const date = new Date(dateMs);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  return dateMs + hour * HOUR_MS + minute * MINUTE_MS + second * 1000 + ms;
}

/** Reads `YYYY-MM-DDTHH:mm:ss[.SSS]Z`, a moment of UTC; undefined as above. */
export const parseUtcTime = (text: string): number | undefined =>
  /^\S{10}T\S+Z$/.test(text) ? parseBrokerTime(text.slice(0, -1).replace('T', ' ')) : undefined;

/** As the first, and `YYYY-MM-DD` for the beginning of that day. */
export const parseBrokerMoment = (text: string): BrokerTimeMs | undefined =>
  parseBrokerTime(text.length === 'YYYY-MM-DD'.length ? `${text} 00:00:00` : text);

/** Midnight of a calendar date; unlike Date.UTC it takes the years 0–99 as they are. */
export function brokerDateMs(year: number, month: number, day: number): BrokerTimeMs {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getTime();
}

/** Writes `YYYY-MM-DD HH:mm:ss.SSS`. Defined for the years 0000–9999. */
export function formatBrokerTime(timeMs: BrokerTimeMs): string {
  const iso = new Date(timeMs).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 23)}`;
}

/**
 * A broker's wall clock: the wall clock of an IANA zone plus a shift. Most brokers run {zone:
 * 'America/New_York', shiftHours: 7}, so that midnight is the New York close at 17:00 all year;
 * others {zone: 'Europe/Athens', shiftHours: 0}. The two differ for some weeks of each year.
 */
export type BrokerClock = { zone: string; shiftHours: number };

export const isSameClock = (a: BrokerClock, b: BrokerClock): boolean =>
  a.zone === b.zone && a.shiftHours === b.shiftHours;

export const DEFAULT_BROKER_CLOCK: BrokerClock = { zone: 'America/New_York', shiftHours: 7 };

/** Whether the runtime knows the IANA zone. */
export function isKnownZone(zone: string): boolean {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone);
    return true;
  } catch {
    return false;
  }
}

/** The moment of UTC when the clocks of an IANA zone show a wall time. */
export function utcAt(wallMs: number, zone: string): number {
  const wall = Temporal.Instant.fromEpochMilliseconds(wallMs).toZonedDateTimeISO('UTC');
  return wall.toPlainDateTime().toZonedDateTime(zone).epochMilliseconds;
}

/** The wall clock that the broker shows at a moment of UTC. */
export function brokerTimeAt(utcMs: number, clock: BrokerClock): BrokerTimeMs {
  const zoned = Temporal.Instant.fromEpochMilliseconds(utcMs).toZonedDateTimeISO(clock.zone);
  return utcMs + zoned.offsetNanoseconds / 1_000_000 + clock.shiftHours * HOUR_MS;
}

import type { Formats } from '../contract/check.ts';
import { isKnownZone, parseBrokerTime } from '../domain/broker-time.ts';

/** What the contract's schemas can't spell. */
export const FORMATS: Formats = {
  'broker-time': {
    holds: (text) => parseBrokerTime(text) !== undefined,
    expected: 'must be a valid date and time, YYYY-MM-DD HH:mm:ss.SSS',
  },
  'time-zone': {
    holds: isKnownZone,
    expected: 'must be an IANA time zone, for example America/New_York',
  },
};

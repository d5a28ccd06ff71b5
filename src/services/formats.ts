import type { Formats } from '../contract/check.ts';
import { isKnownZone, parseBrokerTime } from '../domain/broker-time.ts';

export const VALID_TIME = 'must be a valid date and time, YYYY-MM-DD HH:mm:ss.SSS';
export const VALID_ZONE = 'must be an IANA time zone, for example America/New_York';

/** What the contract's schemas can't spell. */
export const FORMATS: Formats = {
  'broker-time': {
    holds: (text) => parseBrokerTime(text) !== undefined,
    expected: VALID_TIME,
  },
  'time-zone': {
    holds: isKnownZone,
    expected: VALID_ZONE,
  },
};

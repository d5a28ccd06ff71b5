import { isKnownZone, parseBrokerMoment, parseBrokerTime, parseUtcTime } from './broker-time.ts';
import { isPlainName } from './plain-name.ts';

export const VALID_TIME = 'must be a valid date and time, YYYY-MM-DD HH:mm:ss.SSS';
export const VALID_ZONE = 'must be an IANA time zone, for example America/New_York';

const isLanguageTag = (text: string): boolean => {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
};

/** Checks that the contract's schemas cannot express, by their `format`. */
export const FORMATS = {
  'broker-time': {
    holds: (text: string) => parseBrokerTime(text) !== undefined,
    expected: VALID_TIME,
  },
  'broker-moment': {
    holds: (text: string) => parseBrokerMoment(text) !== undefined,
    expected: 'must be a valid date, YYYY-MM-DD, or date and time, YYYY-MM-DD HH:mm:ss.SSS',
  },
  'date-time': {
    holds: (text: string) => parseUtcTime(text) !== undefined,
    expected: 'must be a valid time of UTC, YYYY-MM-DDTHH:mm:ss.SSSZ',
  },
  name: {
    holds: isPlainName,
    expected: 'must be a short name, each word in letters of one alphabet, without unseen marks',
  },
  'email-address': {
    holds: isPlainName,
    expected: 'must be an e-mail address, each word in letters of one alphabet',
  },
  language: {
    holds: isLanguageTag,
    expected: 'must be a language tag, for example de-DE',
  },
  'time-zone': {
    holds: isKnownZone,
    expected: VALID_ZONE,
  },
};

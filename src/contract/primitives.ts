import Type from 'typebox';

/**
 * The building blocks of schemas. Everything is bounded: every text has a `maxLength`, every list a
 * `maxItems`. `expected` describes a `pattern` in English, for faults.
 */

/** A record under its own name in the reference; other fields are refused, or never sent. */
export const record = <P extends Type.TProperties>(
  id: string,
  properties: P,
  options: Type.TObjectOptions = {},
) => Type.Object(properties, { $id: id, additionalProperties: false, ...options });

/** One of some words. */
export const words = <const W extends string>(list: readonly W[], options: object = {}) =>
  Type.Unsafe<W>({ type: 'string', enum: [...list], ...options });

/** A set of words without repetition. */
export const setOf = <W extends string>(word: Type.TUnsafe<W>, size: number, options = {}) =>
  Type.Array(word, { maxItems: size, uniqueItems: true, ...options });

const NO_CONTROL = {
  pattern: '^[^\\p{Cc}]*$',
  expected: 'must not contain control characters',
};

/** Nor marks that turn the direction of what follows: one name would look like another. */
const TURNING = '\\u202A-\\u202E\\u2066-\\u2069';
const PLAIN = {
  pattern: `^[^\\p{Cc}${TURNING}]*$`,
  expected: 'must not contain control characters, nor marks that turn the direction of text',
};

/** Text of people: no control characters, bounded. */
export const text = (maxLength: number, description: string, options: object = {}) =>
  Type.String({ minLength: 1, maxLength, ...PLAIN, description, ...options });

export const optionalText = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ maxLength, ...PLAIN, description }));

/** Words that stand in a platform's records, whatever it lets people write. */
export const optionalComment = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ maxLength, ...NO_CONTROL, description }));

/** By which people know each other: it must not look like that of somebody else. */
export const personName = (maxLength: number, description: string) =>
  text(maxLength, description, { format: 'name' });

/** Text in answers: whatever was stored, within this bound. */
export const answerText = (maxLength: number, description: string, options: object = {}) =>
  Type.String({ maxLength, description, ...options });

/** Ids that clients may choose, and words such as names of regions. */
export const ID_PATTERN = '^[A-Za-z0-9][A-Za-z0-9._:@-]{0,63}$';
export const identifier = (description: string) =>
  Type.String({
    maxLength: 64,
    pattern: ID_PATTERN,
    expected: 'must be 1 to 64 letters, digits and . _ : @ - and begin with a letter or digit',
    description,
  });

/** Ids to look up: any text of bounded length; an unknown one is answered with 404. */
export const pathId = (description: string) => text(128, description);
/** Ids in answers. */
export const idText = (description: string) => answerText(128, description, { isAscii: true });

/** Input: a date and time that exist, with or without milliseconds. */
export const brokerTime = (description: string) =>
  Type.String({
    format: 'broker-time',
    maxLength: 23,
    description: `${description}, broker time YYYY-MM-DD HH:mm:ss.SSS`,
  });
/** Answers: always YYYY-MM-DD HH:mm:ss.SSS, as described once for the whole API. */
export const brokerTimeText = (description: string) =>
  answerText(23, `${description}, broker time`, { isAscii: true });
/** The difference between the two times of a snapshot. */
export const clockOffsetSeconds = Type.Optional(
  Type.Number({
    description:
      "Broker time of the newest snapshot, by the account's clock, less its time of receipt; above 0: the account's clock is ahead of the server's",
  }),
);
/** Times of the server's own clock, and moments that are the same for all accounts. */
export const isoTime = (description: string) =>
  Type.String({ format: 'date-time', maxLength: 24, description: `${description}, UTC` });

/** Currency codes: ISO 4217 and the industry's own, such as USC (cents) or USDT. */
export const currency = Type.String({
  maxLength: 5,
  pattern: '^[A-Z]{3,5}$',
  expected: 'must be a currency code of 3 to 5 capital letters, for example USD',
  description: 'Currency of the account, for example USD',
});

/** Also without wide forms of Latin letters (U+FF00 on), which look like the usual ones. */
const EMAIL_PART = `[^\\s@\\p{Cc}<>,;:"\\uFF00-\\uFFEF${TURNING}]+`;
const EMAIL = `^${EMAIL_PART}@${EMAIL_PART}$`;
const MAX_EMAIL_LENGTH = 254;

/** Whether the API accepts an e-mail address. */
export const isEmailAddress = (text: string): boolean =>
  text.length <= MAX_EMAIL_LENGTH && new RegExp(EMAIL, 'u').test(text);

export const emailAddress = (description: string) =>
  Type.String({
    maxLength: MAX_EMAIL_LENGTH,
    pattern: EMAIL,
    format: 'email-address',
    expected: 'must be an e-mail address',
    description,
  });

/**
 * Largest amount of money in any currency: for those held with two decimal digits. With four, a
 * hundredth of it; code that knows the currency checks that.
 */
export const MAX_MONEY = 90_000_000_000_000;
export const money = (description: string) =>
  Type.Number({
    minimum: -MAX_MONEY,
    maximum: MAX_MONEY,
    description: `${description}, in the account's currency`,
  });
/** As above, in answers. */
export const amount = (description: string) =>
  Type.Number({ description: `${description}, in the account's currency` });

/** Largest price, and largest size of a contract. */
export const MAX_PRICE = 900_000_000_000;

/** A parameter that is off unless a request says otherwise. */
export const flag = (description: string) =>
  Type.Optional(Type.Boolean({ default: false, description }));

export const count = (description: string) => Type.Integer({ minimum: 0, description });

/** The clock of the platform or the account. */
export const brokerClock = record(
  'BrokerClock',
  {
    zone: Type.String({
      maxLength: 64,
      format: 'time-zone',
      description: 'IANA time zone, for example America/New_York',
    }),
    shiftHours: Type.Optional(
      Type.Number({
        minimum: -24,
        maximum: 24,
        default: 0,
        description: 'Hours by which the clock is ahead of the zone',
      }),
    ),
  },
  { description: "The broker's wall clock: that of a zone plus hours" },
);

export const MAX_PAGE = 1000;
const limitUpTo = (most: number) =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: most,
      default: most,
      description: 'Largest number of items in the answer',
    }),
  );

/** A page of a list, with at most this many items. */
export const pageUpTo = (most: number) => ({
  limit: limitUpTo(most),
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 0,
      description: 'Items to skip',
    }),
  ),
});
export const page = pageUpTo(MAX_PAGE);
export const pageOf = <T extends Type.TSchema>(item: T, options: object = {}) =>
  Type.Array(item, { maxItems: MAX_PAGE, ...options });

/**
 * Bytes at which a page of large items ends before its limit: `maxBytes` of its list. The item that
 * exceeds it is the last.
 */
export const PAGE_BYTES = 3_000_000;

/** A page sent by sendPage: it ends before its limit if it becomes long. */
export const linkedPageOf = <T extends Type.TSchema>(item: T, options: object = {}) =>
  pageOf(item, { maxBytes: PAGE_BYTES, ...options });

/** A page of a list that continues by a link: newest first, from before an item on. */
export const pageFrom = <Cursor extends Type.TSchema>(
  cursor: (description: string) => Cursor,
  most: number,
) => ({
  limit: limitUpTo(most),
  before: Type.Optional(cursor('Only items before this one: see the header link')),
});

/** The answer of operations that create something. */
export const created = record('Created', { id: idText('Id of what was created') });

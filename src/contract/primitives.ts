import Type from 'typebox';

/**
 * The words that schemas are made of. Everything is bounded: every text has a `maxLength`, every
 * list a
 * `maxItems`. `expected` says in English what a `pattern` wants; faults tell it.
 */

/** A record under its own name in the reference; fields beyond these are refused, or never sent. */
export const record = <P extends Type.TProperties>(
  id: string,
  properties: P,
  options: Type.TObjectOptions = {},
) => Type.Object(properties, { $id: id, additionalProperties: false, ...options });

/** One of some words. */
export const words = <const W extends string>(list: readonly W[], options: object = {}) =>
  Type.Unsafe<W>({ type: 'string', enum: [...list], ...options });

/** A set of words, each once at most. */
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

/** Ids to look for: any text of bounded length; what does not exist is answered 404. */
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
/** Answers: always YYYY-MM-DD HH:mm:ss.SSS, as the description of the API says once for all. */
export const brokerTimeText = (description: string) =>
  answerText(23, `${description}, broker time`, { isAscii: true });
/** The difference of the two times that a snapshot has. */
export const clockOffsetSeconds = Type.Optional(
  Type.Number({
    description:
      "Broker time of the newest snapshot, by the account's clock, less when it came in; above 0: the account's clock is ahead of the server's",
  }),
);
/** Times of the server's own clock. */
export const isoTime = (description: string) =>
  Type.String({ format: 'date-time', maxLength: 24, description: `${description}, UTC` });

/** Currency codes: ISO 4217 and the field's own such as USC (cents) or USDT. */
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

/** Whether the API takes it for an e-mail address. */
export const isEmailAddress = (text: string): boolean =>
  text.length <= MAX_EMAIL_LENGTH && new RegExp(EMAIL, 'u').test(text);

export const emailAddress = (description: string) =>
  Type.String({
    maxLength: MAX_EMAIL_LENGTH,
    pattern: EMAIL,
    expected: 'must be an e-mail address',
    description,
  });

/**
 * Largest amount of money in any currency: that of those held with two decimal digits. With four it
 * is a hundredth of it; whoever knows the currency tells so.
 */
export const MAX_MONEY = 90_000_000_000_000;
export const money = (description: string) =>
  Type.Number({
    minimum: -MAX_MONEY,
    maximum: MAX_MONEY,
    description: `${description}, in the account's currency`,
  });
/** The same in answers. */
export const amount = (description: string) =>
  Type.Number({ description: `${description}, in the account's currency` });

/** Largest price, and largest size of a contract. */
export const MAX_PRICE = 900_000_000_000;

export const count = (description: string) => Type.Integer({ minimum: 0, description });

/** Where the platform's or the account's clock stands. */
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
        description: 'Hours that the clock is ahead of the zone',
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
      description: 'Largest number of items to answer',
    }),
  );

/** A page of a list, of at most so many items. */
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
 * passes it is the last.
 */
export const PAGE_BYTES = 3_000_000;

/** A page that sendPage sends: it ends before its limit where it becomes long. */
export const linkedPageOf = <T extends Type.TSchema>(item: T, options: object = {}) =>
  pageOf(item, { maxBytes: PAGE_BYTES, ...options });

/** A page of a list that goes on by a link: newest first, from before an item on. */
export const pageFrom = <Cursor extends Type.TSchema>(
  cursor: (description: string) => Cursor,
  most: number,
) => ({
  limit: limitUpTo(most),
  before: Type.Optional(cursor('Only what comes before this one: see the header link')),
});

/** The answer of operations that make something. */
export const created = record('Created', { id: idText('Id of what was created') });

import Type from 'typebox';

/** `YYYY-MM-DD HH:mm:ss[.SSS]`, a date and time that exist. */
export const brokerTime = (description: string) =>
  Type.String({
    format: 'broker-time',
    description: `${description}, broker time YYYY-MM-DD HH:mm:ss.SSS`,
  });

/** Ids that clients may choose, and words such as names of regions. */
export const ID_PATTERN = '^[A-Za-z0-9][A-Za-z0-9._:@-]{0,63}$';
export const identifier = (description: string) =>
  Type.String({ pattern: ID_PATTERN, description });

/** Ids to look for: any text of bounded length; what does not exist is answered 404. */
export const pathId = (description: string) =>
  Type.String({ minLength: 1, maxLength: 128, pattern: '^[^\\p{Cc}]*$', description });

/** Text of people: no control characters, bounded. */
export const text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '^[^\\p{Cc}]*$', description });

export const optionalText = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ maxLength, pattern: '^[^\\p{Cc}]*$', description }));

/** Currency codes: ISO 4217 and the field's own such as USC (cents) or USDT. */
export const currency = Type.String({
  pattern: '^[A-Z]{3,5}$',
  description: 'Currency code, for example USD',
});

/**
 * Largest amount of money in any currency: that of those held with two decimal digits. With four it is
 * a hundredth of it; whoever knows the currency tells so.
 */
export const MAX_MONEY = 90_000_000_000_000;
export const money = (description: string) =>
  Type.Number({ minimum: -MAX_MONEY, maximum: MAX_MONEY, description });

/** Largest price, and largest size of a contract. */
export const MAX_PRICE = 900_000_000_000;

export const page = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      default: 1000,
      description: 'Largest number of items',
    }),
  ),
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 0,
      description: 'Items to skip',
    }),
  ),
};

export const created = Type.Object({ id: Type.String() });

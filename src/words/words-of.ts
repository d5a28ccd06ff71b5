/** The words of a table, in its order. */
export const wordsOf = <W extends string>(table: Readonly<Record<W, unknown>>): readonly W[] =>
  Object.keys(table) as W[];

/** Whether a text is one of a table's words. */
export const isWordOf = <W extends string>(
  table: Readonly<Record<W, unknown>>,
  text: string,
): text is W => Object.hasOwn(table, text);

/** A request as the reference shows it, and its answer. Tests send it to a real server. */
export type Example = {
  params?: Readonly<Record<string, string | number>>;
  query?: Readonly<Record<string, string | number | boolean>>;
  headers?: Readonly<Record<string, string | number>>;
  /** A text is a file or NDJSON, anything else JSON. */
  body?: unknown;
  /** Absent where the answer has no body; a text where it is no JSON. */
  answer?: unknown;
};
export type Examples = Readonly<Record<string, Example>>;

/** Bounds on the cost of one statement file. The size of the file itself is bounded by HTTP. */

/** Rows of all tables of a file, understood or not. */
export const ROWS_MAX = 1_000_000;
/** Columns kept of a row; the widest export has 27. */
export const COLUMNS_MAX = 64;
/** Attributes kept of a tag. */
export const ATTRIBUTES_MAX = 32;
/** Characters kept of a cell; longer ones are cut (comments are 32 at most). */
export const CELL_TEXT_MAX = 1_000;
/** Rows outside of the tables: the head of the report and its stated figures. */
export const LOOSE_ROWS_MAX = 2_000;
/** Bytes of a zip container's wanted entries, inflated. */
export const INFLATED_BYTES_MAX = 256 * 1024 * 1024;
/** Inflated over packed bytes of one entry; real sheets reach 30. */
export const INFLATE_RATIO_MAX = 200;
export const ZIP_ENTRIES_MAX = 1_000;
/** Sheets of a workbook that are read. */
export const SHEETS_MAX = 60;
export const SHARED_STRINGS_MAX = 2_000_000;
/** Warnings that name a row; further ones are only counted. */
export const ROW_WARNINGS_MAX = 100;
/** Bytes decoded and parsed at once. */
export const CHUNK_BYTES = 128 * 1024;
/** Longest JSON object or CSV record. */
export const RECORD_TEXT_MAX = 100_000;

/** The API's bounds on a deal. */
export const TICKET_TEXT_MAX = 64;
export const SYMBOL_TEXT_MAX = 64;
export const COMMENT_TEXT_MAX = 256;
export const LOTS_MAX = 10_000_000;
export const AMOUNT_MAX = 900_000_000_000;
/** Characters of all comments of a file together: a packed file may repeat one without end. */
export const COMMENTS_TEXT_MAX = 32 * 1024 * 1024;

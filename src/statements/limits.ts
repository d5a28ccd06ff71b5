/** Bounds on what one statement file may cost. The size of the file itself is bounded by HTTP. */

/** Rows of all tables of a file, understood or not. */
export const ROWS_MAX = 1_000_000;
/** Columns kept of a row; the widest export has 27. */
export const COLUMNS_MAX = 64;
/** Attributes kept of a tag. */
export const ATTRIBUTES_MAX = 32;
/** Characters kept of a cell; longer ones are cut (comments are 32 at most). */
export const CELL_TEXT_MAX = 1_000;
/** Rows outside of the tables: the head of the report and the figures that it states. */
export const LOOSE_ROWS_MAX = 2_000;
/** Bytes of a zip container's wanted entries, inflated. */
export const INFLATED_BYTES_MAX = 256 * 1024 * 1024;
/** Inflated over packed bytes of one entry; real sheets reach 30. */
export const INFLATE_RATIO_MAX = 200;
export const ZIP_ENTRIES_MAX = 1_000;
/** Sheets of a workbook that are read. */
export const SHEETS_MAX = 60;
export const SHARED_STRINGS_MAX = 2_000_000;
/** Warnings that name a row; what comes after is counted only. */
export const ROW_WARNINGS_MAX = 100;
/** Bytes decoded and parsed at a stretch. */
export const CHUNK_BYTES = 128 * 1024;
/** Longest JSON object or CSV record. */
export const RECORD_TEXT_MAX = 100_000;

/** Bounds on a deal, those that the API has for deals. */
export const TICKET_TEXT_MAX = 64;
export const SYMBOL_TEXT_MAX = 64;
export const COMMENT_TEXT_MAX = 256;
export const LOTS_MAX = 10_000_000;
export const AMOUNT_MAX = 900_000_000_000;
/** Characters of all comments of a file together: a packed file can be made to repeat itself. */
export const COMMENTS_TEXT_MAX = 32 * 1024 * 1024;

/** Prints records as one JSON array, or as a table of the given columns. */
export function printRecords<R>(
  records: readonly R[],
  columns: Record<string, (record: R) => string | number | undefined>,
  json: boolean,
): void {
  console.log(json ? JSON.stringify(records, undefined, 2) : tableOf(records, columns));
}

function tableOf<R>(
  records: readonly R[],
  columns: Record<string, (record: R) => string | number | undefined>,
): string {
  const head = Object.keys(columns);
  const rows = records.map((record) =>
    Object.values(columns).map((cell) => onScreen(String(cell(record) ?? ''))),
  );
  const widths = head.map((title, index) =>
    Math.max(title.length, ...rows.map((row) => row[index]?.length ?? 0)),
  );
  return [head, ...rows]
    .map((row) => row.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
}

/** Text of users must not control the operator's terminal, nor break the table. */
const onScreen = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');

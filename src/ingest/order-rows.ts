import type { CheckedRows } from './checked-rows.ts';

/**
 * Rows in the order of their moments; those of one moment keep theirs. A verdict rests on the rows,
 * not on where they stand in their body. `isBehind` says which came after a newer one.
 */
export function rowsInOrder(rows: CheckedRows): CheckedRows {
  const { rowCount, utcMs, account } = rows;
  const isBehind = new Uint8Array(rowCount);
  const newest = new Float64Array(rows.accounts.length).fill(Number.NEGATIVE_INFINITY);
  for (let row = 0; row < rowCount; row += 1) {
    const [place, moment] = [account[row] ?? 0, utcMs[row] ?? 0];
    if (moment < (newest[place] ?? 0)) isBehind[row] = 1;
    else newest[place] = moment;
  }
  if (!isBehind.includes(1)) return rows;
  const order = Uint32Array.from(isBehind.keys()).sort(
    (a, b) => (utcMs[a] ?? 0) - (utcMs[b] ?? 0) || a - b,
  );
  const places = new Uint32Array(rowCount);
  for (const [at, row] of order.entries()) places[row] = at;
  const moved = (column: Float64Array) => Float64Array.from(order, (row) => column[row] ?? 0);
  return {
    ...rows,
    timeMs: moved(rows.timeMs),
    balance: moved(rows.balance),
    equity: moved(rows.equity),
    utcMs: moved(utcMs),
    account: Uint32Array.from(order, (row) => account[row] ?? 0),
    isBehind: Uint8Array.from(order, (row) => isBehind[row] ?? 0),
    deals: rows.deals
      .map(({ row, deals }) => ({ row: places[row] ?? 0, deals }))
      .sort((a, b) => a.row - b.row),
  };
}

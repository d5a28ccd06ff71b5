/** What one would write first: Express, pg, rows to objects, res.json. Without authentication. */
import type { AddressInfo } from 'node:net';
import express from 'express';
import pg from 'pg';

const { url } = JSON.parse(process.argv[2] ?? '{}') as { url: string };
const pool = new pg.Pool({ connectionString: url, max: 10 });
const app = express();

app.get('/users/current/accounts/:accountId/historical-trades/:start/:end', async (req, res) => {
  const { accountId, start, end } = req.params;
  const { rows } = await pool.query(
    `select * from peer_trade where account_id = $1 and close_time >= $2 and close_time < $3
     order by close_time, id limit $4`,
    [accountId, start.slice(0, 23), end.slice(0, 23), Number(req.query.limit ?? 1000)],
  );
  const trades = rows.map((row) => ({
    _id: `${row.account_id}+${row.id}`,
    accountId: row.account_id,
    positionId: row.id,
    volume: row.volume,
    durationInMinutes: row.duration_in_minutes,
    profit: row.profit,
    gain: row.gain,
    success: row.profit > 0 ? 'won' : 'lost',
    openTime: row.open_time,
    closeTime: row.close_time,
    type: row.type,
    symbol: row.symbol,
    openPrice: row.open_price,
    closePrice: row.close_price,
    pips: row.pips,
    comment: row.comment,
  }));
  res.json({ trades });
});

const server = app.listen(0, '127.0.0.1', () =>
  process.send?.((server.address() as AddressInfo).port),
);
process.once('disconnect', () => process.exit());

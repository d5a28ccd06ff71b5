import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TableMapping } from '../src/statements/flat/mappings.ts';
import { readStatement } from '../src/statements/read-statement.ts';
import { UnreadableStatement } from '../src/statements/unreadable-statement.ts';

const HEADINGS = 'Ouvert;Fermé;Sens;Titre;Taille;Entrée;Sortie;Frais;Gagné;Humeur';
const TABLE = [
  'Mes trades',
  HEADINGS,
  '2026-07-01 14:00:00;2026-07-01 15:30:00;Buy;EURUSD;0,50;1,0800;1,0820;3,50;100,00;7',
  '2026-07-02 14:00:00;2026-07-02 16:00:00;Sell;EURUSD;0,50;1,0810;1,0820;3,50;-50,00;3',
].join('\n');

const mapping: TableMapping = {
  columns: [
    { heading: 'Ouvert', field: 'openTime', zone: 'Europe/Paris' },
    { heading: 'Fermé', field: 'closeTime', zone: 'Europe/Paris' },
    { heading: 'Sens', field: 'side' },
    { heading: 'Titre', field: 'symbol' },
    { heading: 'Taille', field: 'volume' },
    { heading: 'Entrée', field: 'openPrice' },
    { heading: 'Sortie', field: 'closePrice' },
    { heading: 'Frais', field: 'commission', sign: 'turned' },
    { heading: 'Gagné', field: 'profit' },
    { heading: 'Humeur' },
  ],
};
const read = (text: string, mappings: TableMapping[] = []) =>
  readStatement(Buffer.from(text), {
    ...{ moneyDigits: 4, mappings },
    clock: { zone: 'America/New_York', shiftHours: 7 },
  });

test('an unknown table is refused with its headings, its rows and the known parts', async () => {
  const refusal = await read(TABLE).catch((error: unknown) => error);
  assert.ok(refusal instanceof UnreadableStatement);
  const { table } = refusal;
  assert.equal(table?.line, 2);
  assert.deepEqual(
    table?.columns.map(({ heading }) => heading),
    HEADINGS.split(';'),
  );
  assert.equal(table?.rows[1]?.[3], 'EURUSD');
});

test('a mapping states fields, signs and zones of columns, and all of it counts as proved', async () => {
  const { kind, deals, readings, warnings, table } = await read(TABLE, [mapping]);
  assert.equal(kind, 'closed-trades');
  const exits = deals.filter(({ entry }) => entry === 'DEAL_ENTRY_OUT');
  assert.deepEqual(
    exits.map(({ profit, commission, symbol, volume }) => ({
      ...{ profit, commission, symbol, volume },
    })),
    [
      { profit: 1_000_000, commission: -35_000, symbol: 'EURUSD', volume: 50_000_000 },
      { profit: -500_000, commission: -35_000, symbol: 'EURUSD', volume: 50_000_000 },
    ],
  );
  // 15:30 in Paris is 09:30 in New York, and seven hours more at the broker.
  assert.equal(exits[0]?.timeMs, Date.parse('2026-07-01T16:30:00Z'));
  assert.deepEqual(
    readings.filter(({ verdict }) => verdict !== 'proved'),
    [],
  );
  assert.deepEqual(warnings, []);
  assert.deepEqual(table?.columns, mapping.columns);
});

test('a mapping only reads tables with its headings, in any case and with any spaces', async () => {
  const alike = TABLE.replace(HEADINGS, HEADINGS.toUpperCase().replace(';', ' ;'));
  assert.deepEqual((await read(alike, [mapping])).deals, (await read(TABLE, [mapping])).deals);
  const other = TABLE.replace('Humeur', 'Météo');
  await assert.rejects(read(other, [mapping]), UnreadableStatement);
});

test("a mapping has precedence over Plimsoll's own reading of a column", async () => {
  const known = [
    'Ticket,Open Time,Close Time,Type,Symbol,Lots,Open Price,Close Price,Profit,Pay',
    '1,2026-07-01 10:00,2026-07-01 11:00,buy,EURUSD,1,1.1,1.2,10,2',
  ].join('\n');
  const fields =
    'ticket openTime closeTime side symbol volume openPrice closePrice netProfit'.split(
      ' ',
    ) as TableMapping['columns'][number]['field'][];
  const columns = (known.split('\n')[0] ?? '').split(',').map((heading, place) => {
    const field = fields[place];
    return field ? { heading, field } : { heading };
  });
  assert.equal((await read(known)).warnings.length, 1);
  assert.deepEqual((await read(known, [{ columns }])).warnings, []);
});

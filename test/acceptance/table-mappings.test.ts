import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { exampleOf } from '../docs/blocks.ts';
import { needs, testedOn } from '../needs.ts';
import {
  ADMIN_TOKEN,
  Client,
  newAccount,
  newUser,
  startOn,
  type TestServer,
} from '../servers/plimsoll-process.ts';

needs('postgres', 'server');

const MAPPINGS = '/users/current/table-mappings';
const TABLE = [
  'Wann,Seite,Was,Größe,Ergebnis',
  '2026-03-02 10:00:00,buy,EURUSD,1,50',
  '2026-03-03 10:00:00,sell,EURUSD,2,-20',
].join('\n');
const columns = [
  { heading: 'Wann', field: 'closeTime' },
  { heading: 'Seite', field: 'side' },
  { heading: 'Was', field: 'symbol' },
  { heading: 'Größe', field: 'volume' },
  { heading: 'Ergebnis', field: 'netProfit' },
];
type Table = { columns: { heading: string; field?: string }[]; rows: string[][] };
type Answer = {
  netProfit: number;
  added: number;
  first?: { profit: number; brokerTime: string }[];
  table?: Table;
  details: { parameter: string; table?: Table }[];
};

for (const kind of testedOn()) {
  describe(`mappings of tables on ${kind}`, () => {
    let running: TestServer;
    let user: Client & { userId: string };
    before(async () => {
      running = await startOn(kind);
      user = await newUser(running.server.address);
    });
    after(() => running.close());
    const upload = (client: Client, id: string, query = '') =>
      client.post<Answer>(`/users/current/accounts/${id}/statements${query}`, TABLE);

    it('make an unknown table known, in a dry run and in the import, for all accounts', async () => {
      const [id, second] = [await newAccount(user), await newAccount(user)];
      const refused = await upload(user, id, '?dryRun=true');
      assert.equal(refused.status, 400);
      assert.deepEqual(
        refused.body.details[0]?.table?.rows[0],
        (TABLE.split('\n')[1] ?? '').split(','),
      );
      assert.equal((await user.call('PUT', `${MAPPINGS}/Mine`, { columns })).status, 204);

      const tried = await upload(user, id, '?dryRun=true');
      assert.equal(tried.status, 200, JSON.stringify(tried.body));
      assert.deepEqual(tried.body.table?.columns, columns);
      assert.equal(tried.body.first?.[0]?.profit, 50);
      assert.equal((await upload(user, id)).body.netProfit, 30);
      assert.equal((await upload(user, second)).body.added, 2);

      const stranger = await newUser(running.server.address);
      assert.equal((await upload(stranger, await newAccount(stranger))).status, 400);
    });

    it('are sent as shown by the page', async () => {
      const shown = JSON.parse(exampleOf('docs/statements.md', '"heading"'));
      assert.equal((await user.call('PUT', `${MAPPINGS}/Shown`, shown)).status, 204);
    });

    it('are listed, deleted and audited', async () => {
      const own = await newUser(running.server.address);
      await own.call('PUT', `${MAPPINGS}/Other`, { columns });
      const { body } = await own.get<{ name: string; columns: object[] }[]>(MAPPINGS);
      assert.deepEqual(
        body.map(({ name, columns }) => ({ name, columns })),
        [{ name: 'Other', columns }],
      );
      assert.equal((await own.call('DELETE', `${MAPPINGS}/Other`)).status, 204);
      assert.equal((await own.call('DELETE', `${MAPPINGS}/Other`)).status, 404);
      assert.equal((await upload(own, await newAccount(own))).status, 400);
      const admin = new Client(running.server.address, ADMIN_TOKEN);
      const audit = await admin.get<{ action: string }[]>(`/admin/audit?userId=${own.userId}`);
      const actions = audit.body.map(({ action }) => action);
      for (const action of ['table-mapping.saved', 'table-mapping.deleted'])
        assert.ok(actions.includes(action), JSON.stringify(actions));
    });

    it('must read trades or deals from a table, and name existing zones', async () => {
      const withoutSide = columns.filter(({ field }) => field !== 'side');
      const wrong = [...withoutSide, { heading: 'x', field: 'openTime', zone: 'Mars/Olympus' }];
      const { status, body } = await user.call<Answer>('PUT', `${MAPPINGS}/Wrong`, {
        columns: wrong,
      });
      assert.equal(status, 400);
      assert.deepEqual(
        body.details.map(({ parameter }) => parameter),
        ['columns[4].zone', 'columns'],
      );
    });
  });
}

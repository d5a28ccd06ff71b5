import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { formatBrokerTime } from '../../src/domain/broker-time.ts';
import { needs, testedOn } from '../needs.ts';
import {
  ADMIN_TOKEN,
  Client,
  newAccount,
  newUser,
  startOn,
  type TestServer,
} from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';

needs('postgres', 'server');

const LABELS = '/users/current/account-labels';
const TOTALS = '/users/current/account-totals';
const VIEWS = '/users/current/account-views';
const TEMPLATES = '/users/current/rule-templates';

type Label = { label: string; accounts: number };
type Totals = { total: number; currencies: Record<string, number | string>[] };
type Fault = { message: string; details: { parameter: string; message: string }[] };
type Named = { name: string; changedAt: string };

for (const kind of testedOn()) {
  describe(`groups of accounts, with ${kind}`, () => {
    let running: TestServer;
    const address = (): string => running.server.address;
    before(async () => {
      running = await startOn(kind);
    });
    after(() => running.close());

    const patch = (user: Client, body: object) =>
      user.call<{ changed: number }>('PATCH', LABELS, body);
    const actionsOf = async (userId: string): Promise<string[]> => {
      const operator = new Client(address(), ADMIN_TOKEN);
      const path = `/admin/audit?userId=${userId}&limit=1000`;
      const { body } = await operator.get<{ action: string }[]>(path);
      return body.map(({ action }) => action);
    };
    const snapshot = (accountId: string, balance: number, equity: number) => ({
      ...{ accountId, balance, equity },
      brokerTime: formatBrokerTime(Date.now()),
    });

    it('have labels that are added and taken away at once, each change audited', async () => {
      const user = await newUser(address());
      const [one, two] = [
        await newAccount(user, { labels: ['Phase 1'] }),
        await newAccount(user, { name: 'Two' }),
      ];
      const body = { accountIds: [one, two], add: ['Phase 2'], remove: ['Phase 1'] };
      const changed = await patch(user, body);
      assert.deepEqual([changed.status, changed.body], [200, { changed: 2 }]);
      assert.deepEqual((await patch(user, body)).body, { changed: 0 });
      const account = await user.get<{ labels: string[] }>(`/users/current/accounts/${one}`);
      assert.deepEqual(account.body.labels, ['Phase 2']);
      const { body: labels } = await user.get<Label[]>(LABELS);
      assert.deepEqual(
        labels.map(({ label, accounts }) => ({ label, accounts })),
        [{ label: 'Phase 2', accounts: 2 }],
      );
      const audited = await actionsOf(user.userId);
      assert.equal(audited.filter((action) => action === 'account.changed').length, 2);
    });

    it('get no label at all if one account is missing, or would have too many', async () => {
      const user = await newUser(address());
      const stranger = await newUser(address());
      const labels = Array.from({ length: 20 }, (_, index) => `Label ${index}`);
      const [full, empty] = [await newAccount(user, { labels }), await newAccount(user)];
      const others = await newAccount(stranger);
      const missing = await patch(user, { accountIds: [empty, others], add: ['X'] });
      assert.equal(missing.status, 404);
      const crowded = await patch(user, { accountIds: [empty, full], add: ['X'] });
      assert.equal(crowded.status, 409);
      const account = await user.get<{ labels: string[] }>(`/users/current/accounts/${empty}`);
      assert.deepEqual(account.body.labels, []);
      for (const add of [[' x'], ['x '], [''], ['a\nb'], ['x'.repeat(51)], ['a', 'a']]) {
        assert.equal((await patch(user, { accountIds: [empty], add })).status, 400);
      }
    });

    it('filter the overview, and are found by a search for their label', async () => {
      const user = await newUser(address());
      await newAccount(user, { name: 'In', labels: ['Funded EU'] });
      await newAccount(user, { name: 'Out', labels: ['Funded'] });
      const names = async (query: string): Promise<string[]> => {
        const path = `/users/current/accounts-overview?${query}`;
        const { body } = await user.get<{ accounts: { name: string }[] }>(path);
        return body.accounts.map(({ name }) => name);
      };
      assert.deepEqual(await names('label=Funded'), ['Out']);
      assert.deepEqual(await names('label=Funded%20EU'), ['In']);
      assert.deepEqual(await names('search=funded'), ['In', 'Out']);
      assert.deepEqual(await names('label=Funded&search=in'), []);
    });

    it('are summed up by currency, over accounts with figures', async () => {
      const user = await newUser(address());
      const labels = ['Summed'];
      const add = (currency: string) =>
        newAccount(user, { currency, labels, brokerClock: { zone: 'UTC' } });
      const [first, second, yen] = [await add('USD'), await add('USD'), await add('JPY')];
      await add('USD');
      await newAccount(user, { currency: 'EUR' });
      const sent = await user.post('/users/current/snapshots', [
        snapshot(first, 1000.1, 900.05),
        snapshot(second, 0.2, 0.3),
        snapshot(yen, 5_000_000, 4_000_000),
      ]);
      assert.equal(sent.status, 200, JSON.stringify(sent.body));
      let totals: Totals | undefined;
      await until(async () => {
        totals = (await user.get<Totals>(`${TOTALS}?label=Summed`)).body;
        const known = totals.currencies.reduce((sum, { equities }) => sum + Number(equities), 0);
        return known === 3;
      }, 'three equities');
      assert.equal(totals?.total, 4);
      assert.deepEqual(totals?.currencies, [
        {
          ...{ currency: 'JPY', accounts: 1, balances: 1, equities: 1, stale: 0 },
          ...{ balance: 5_000_000, equity: 4_000_000, openProfit: -1_000_000 },
        },
        {
          ...{ currency: 'USD', accounts: 3, balances: 2, equities: 2, stale: 0 },
          ...{ balance: 1000.3, equity: 900.35, openProfit: -99.95 },
        },
      ]);
    });

    it('show a token of some accounts only these', async () => {
      const user = await newUser(address());
      const [own, other] = [
        await newAccount(user, { labels: ['Seen'] }),
        await newAccount(user, { labels: ['Seen', 'Hidden'] }),
      ];
      const made = await user.post<{ token: string }>('/users/current/tokens', {
        accountIds: [own],
      });
      const client = new Client(address(), made.body.token);
      const { body: labels } = await client.get<Label[]>(LABELS);
      assert.deepEqual(
        labels.map(({ label, accounts }) => ({ label, accounts })),
        [{ label: 'Seen', accounts: 1 }],
      );
      assert.equal((await client.get<Totals>(TOTALS)).body.total, 1);
      assert.equal((await patch(client, { accountIds: [other], add: ['X'] })).status, 404);
      assert.equal((await patch(client, { accountIds: [own], add: ['X'] })).status, 200);
      assert.equal((await client.call('PUT', `${VIEWS}/Mine`, {})).status, 403);
    });

    for (const [path, body, other] of [
      [VIEWS, { label: 'Funded', sort: 'equity' }, { filter: 'near' }],
      [
        TEMPLATES,
        { currency: 'USD', rule: { period: 'date', absoluteDrawdownThreshold: 500 } },
        { rule: { period: 'week', relativeProfitThreshold: 0.1 } },
      ],
    ] as const) {
      it(`keep ${path} under names, for all tokens of the user and no other`, async () => {
        const user = await newUser(address());
        const stranger = await newUser(address());
        const name = encodeURIComponent('Büro / Nacht, 1.');
        assert.equal((await user.call('PUT', `${path}/Z`, body)).status, 204);
        assert.equal((await user.call('PUT', `${path}/${name}`, body)).status, 204);
        assert.equal((await user.call('PUT', `${path}/${name}`, other)).status, 204);
        const { body: listed } = await user.get<Named[]>(path);
        assert.deepEqual(
          listed.map(({ changedAt: _, ...rest }) => rest),
          [
            { name: 'Büro / Nacht, 1.', ...other },
            { name: 'Z', ...body },
          ],
        );
        assert.deepEqual((await stranger.get(path)).body, []);
        assert.equal((await stranger.call('DELETE', `${path}/${name}`)).status, 404);
        assert.equal((await user.call('DELETE', `${path}/${name}`)).status, 204);
        assert.equal((await user.call('DELETE', `${path}/${name}`)).status, 404);
        const word = path === VIEWS ? 'account-view' : 'rule-template';
        const audited = await actionsOf(user.userId);
        assert.deepEqual(
          audited.filter((action) => action.startsWith(word)),
          [`${word}.deleted`, `${word}.saved`, `${word}.saved`, `${word}.saved`],
        );
      });

      it(`refuse to overwrite in ${path} a version unseen by its writer, if it asks for that`, async () => {
        const user = await newUser(address());
        const save = async (content: object, replaces?: string): Promise<number> => {
          const query = replaces === undefined ? '' : `?replaces=${replaces}`;
          return (await user.call('PUT', `${path}/Desk${query}`, content)).status;
        };
        const savedAt = async () => (await user.get<Named[]>(path)).body[0]?.changedAt ?? '';
        assert.equal(await save(body, 'none'), 204);
        const first = await savedAt();
        assert.equal(await save(other, 'none'), 409, 'there is one by now');
        assert.equal(await save(body, 'none'), 204, 'it is so already');
        assert.equal(await savedAt(), first, 'what is so already is not saved again');
        await until(async () => new Date().toISOString() > first, 'a later moment');
        assert.equal(await save(other, first), 204);
        assert.equal(await save(body, first), 409, 'it was saved again meanwhile');
        assert.equal(await save(body), 204, 'without the condition whatever there is');
        if (path === TEMPLATES) {
          const old = await user.call('DELETE', `${path}/Desk?replaces=${first}`);
          assert.equal(old.status, 409);
        }
        assert.equal((await user.call('DELETE', `${path}/Desk`)).status, 204);
        assert.equal(await save(other, first), 409, 'it was deleted meanwhile');
        const audited = (await actionsOf(user.userId)).filter((action) => /saved$/.test(action));
        assert.equal(audited.length, 3);
      });
    }

    it('refuse a template that no tracker could be made from, naming every fault', async () => {
      const user = await newUser(address());
      const put = (body: object) => user.call<Fault>('PUT', `${TEMPLATES}/Bad`, body);
      const amount = await put({ rule: { period: 'date', absoluteDrawdownThreshold: 500 } });
      assert.equal(amount.status, 400);
      assert.deepEqual(
        amount.body.details.map(({ parameter }) => parameter),
        ['currency'],
      );
      const rule = { period: 'date', actions: [{ action: 'closePositions' }] };
      const noLimit = await put({ rule });
      assert.deepEqual(
        noLimit.body.details.map(({ parameter }) => parameter),
        ['rule.actions'],
      );
      assert.equal((await put({ rule: { period: 'date', startBrokerTime: 'x' } })).status, 400);
      assert.deepEqual((await user.get(TEMPLATES)).body, []);
    });
  });
}

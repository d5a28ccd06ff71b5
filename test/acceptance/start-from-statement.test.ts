import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { JOURNALS, journalCsv, journalTrades } from '../../scripts/sample-statements/journals.ts';
import { p4StatementPage } from '../../scripts/sample-statements/p4-statement.ts';
import { p5HistoryPage } from '../../scripts/sample-statements/p5-report.ts';
import { p5TesterPage } from '../../scripts/sample-statements/p5-tester.ts';
import {
  hedgingSample,
  P4_ACCOUNT,
  P5_ACCOUNT,
  p4Sample,
} from '../../scripts/sample-statements/samples.ts';
import { needs, testedOn } from '../needs.ts';
import { type Client, newUser, startOn, type TestServer } from '../servers/plimsoll-process.ts';

needs('postgres', 'server');

type Account = Record<'name' | 'broker' | 'platform' | 'login' | 'currency', string> & {
  id: string;
  leverage: number;
  brokerClock: { zone: string; shiftHours: number };
};
type Proposal = {
  account: Omit<Account, 'id'>;
  reasons: { field: string; isTold: boolean; reason: string }[];
  existing: { id: string }[];
  statement: { id?: string; deals: number; balance: number; first: object[] };
  message: string;
  details: { parameter: string }[];
};
type Started = Proposal & { accountId: string; statement: { added: number; balance: number } };

const START = '/users/current/statements';
const sample = hedgingSample();
const report = () => Buffer.from(p5HistoryPage(sample, P5_ACCOUNT));

/** The query that confirms a proposal. */
const confirmation = ({ brokerClock, ...account }: Omit<Account, 'id'>, changes = {}): string =>
  `?${new URLSearchParams(
    Object.entries({ create: true, ...account, ...brokerClock, ...changes }).map(
      ([name, value]) => [name, String(value)],
    ),
  )}`;

for (const kind of testedOn()) {
  describe(`an account that begins with its statement, on ${kind}`, () => {
    let running: TestServer;
    let user: Client & { userId: string };
    before(async () => {
      running = await startOn(kind);
      user = await newUser(running.server.address);
    });
    after(() => running.close());
    const accounts = async () => (await user.get<Account[]>('/users/current/accounts')).body;

    it('is proposed with the facts of the file, the rest guessed with a reason', async () => {
      const { status, body } = await user.post<Proposal>(START, report());
      assert.equal(status, 200, JSON.stringify(body));
      const { login, currency, leverage, platform } = body.account;
      assert.deepEqual(
        { login, currency, leverage, platform },
        {
          ...{ login: P5_ACCOUNT.login, currency: P5_ACCOUNT.currency },
          ...{ leverage: 100, platform: 'p5' },
        },
      );
      const guessed = body.reasons.filter(({ isTold }) => !isTold).map(({ field }) => field);
      assert.deepEqual(guessed, ['leverage']);
      assert.deepEqual(body.account.brokerClock, { zone: 'America/New_York', shiftHours: 7 });
      for (const { field, reason } of body.reasons) assert.ok(reason.length > 10, field);
      assert.equal(body.statement.first.length, 10);
      assert.deepEqual(await accounts(), [], 'nothing is stored');
    });

    it('has the leverage of every layout that states it', async () => {
      const tested = { ...sample, operations: sample.operations.slice(0, 1) };
      const pages = {
        'p4 statement': p4StatementPage(p4Sample(), { ...P4_ACCOUNT, leverage: 333 }),
        'p5 history of 2016': p5HistoryPage(sample, { ...P5_ACCOUNT, leverage: 333, old: true }),
        'p5 tester': p5TesterPage(tested, { ...P5_ACCOUNT, leverage: 333 }),
      };
      for (const [layout, page] of Object.entries(pages)) {
        const { body } = await user.post<Proposal>(START, Buffer.from(page));
        assert.equal(body.account?.leverage, 333, `${layout}: ${JSON.stringify(body)}`);
        const reason = body.reasons.find(({ field }) => field === 'leverage');
        assert.equal(reason?.isTold, true, layout);
      }
    });

    it('is created with the import when confirmed, and known from then on', async () => {
      const { account } = (await user.post<Proposal>(START, report())).body;
      const started = await user.post<Started>(
        START + confirmation(account, { name: 'Mine', leverage: 50 }),
        report(),
      );
      assert.equal(started.status, 201, JSON.stringify(started.body));
      const [made] = await accounts();
      assert.equal(made?.id, started.body.accountId);
      assert.deepEqual([made?.name, made?.leverage], ['Mine', 50]);
      const own = `/users/current/accounts/${made?.id}`;
      const metrics = await user.asOfNow<{ balance: number }>(`${own}/metrics`);
      assert.equal(metrics.balance, started.body.statement.balance);
      const again = await user.post<Proposal>(START, report());
      assert.deepEqual(
        again.body.existing.map(({ id }) => id),
        [made?.id],
      );
    });

    it('is created as proposed where nothing else is given', async () => {
      const { account } = (await user.post<Proposal>(START, report())).body;
      const started = await user.post<Started>(`${START}?create=true&leverage=30`, report());
      assert.equal(started.status, 201, JSON.stringify(started.body));
      const { accountId, statement } = started.body;
      assert.ok(statement.added > 0);
      const made = (await accounts()).find(({ id }) => id === accountId);
      const { name, broker, platform, login, currency, leverage, brokerClock } = made ?? account;
      assert.deepEqual(
        { name, broker, platform, login, currency, leverage, brokerClock },
        { ...account, leverage: 30 },
      );
    });

    it("is not created in other money than the report's, nor by a shift of no zone", async () => {
      const before = (await accounts()).length;
      const bare = await user.post<Proposal>(`${START}?create=true&shiftHours=2`, report());
      assert.equal(bare.status, 400);
      assert.deepEqual(
        bare.body.details.map(({ parameter }) => parameter),
        ['zone'],
      );
      const { account } = (await user.post<Proposal>(START, report())).body;
      for (const [changes, status] of [
        [{ currency: 'JPY' }, 409],
        [{ platform: 'p4' }, 409],
        [{ zone: 'Mars/Olympus' }, 400],
      ] as const) {
        const refused = await user.post<Proposal>(START + confirmation(account, changes), report());
        assert.equal(refused.status, status, JSON.stringify(refused.body));
      }
      assert.equal((await accounts()).length, before);
    });

    it('is proposed for a table, too, which states nothing', async () => {
      const { cTrader } = JOURNALS;
      assert.ok(cTrader);
      const table = Buffer.from(journalCsv(cTrader, journalTrades(sample).slice(0, 40)));
      const { body } = await user.post<Proposal>(START, table);
      const guessed = body.reasons.filter(({ isTold }) => !isTold).map(({ field }) => field);
      assert.ok(guessed.includes('login') && guessed.includes('broker'), JSON.stringify(guessed));
      const started = await user.post<Started>(START + confirmation(body.account), table);
      assert.equal(started.status, 201, JSON.stringify(started.body));
      assert.ok(started.body.statement.added > 0);
    });
  });
}

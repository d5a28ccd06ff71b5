import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { needs, testedOn } from '../needs.ts';
import { P5_MANAGER, startP5Server } from '../servers/p5-server-process.ts';
import { openOnPlatform } from '../servers/platform-openings.ts';
import { Client, newAccount, newUser, startPlimsoll } from '../servers/plimsoll-process.ts';
import { openTestDatabase } from '../servers/test-databases.ts';
import { until } from '../servers/until.ts';

needs('postgres', 'server', 'openssl');

type Trades = { trades: { positionId: string; profit: number }[] };
type Bucket = { lastBalance: number };

const RANGE = '2000-01-01 00:00:00.000/2100-01-01 00:00:00.000';

for (const kind of testedOn()) {
  describe(`reading from platforms through kills, with ${kind}`, () => {
    it('ends with exactly the deals of the platform, each once, and its balance', async () => {
      const p5 = await startP5Server({ tls: true });
      const database = await openTestDatabase(kind);
      const environment = {
        ...database.environment,
        PLIMSOLL_SECRET_KEY: randomBytes(32).toString('base64'),
      };
      let plimsoll = await startPlimsoll(environment);
      const user = await newUser(plimsoll.address);
      const profile = await user.post<{ id: string }>('/users/current/provisioning-profiles', {
        ...{ name: 'Harbour', platform: 'p5', kind: 'p5-web-api', server: p5.url },
        ...{ ...P5_MANAGER, tlsFingerprint: p5.fingerprint },
      });
      const profileId = profile.body.id;
      const accounts = `/users/current/p5/provisioning-profiles/${profileId}/accounts`;
      const login = Number(await openOnPlatform(user, accounts, 'demo\\usd'));
      const daysAgo = (days: number): number => Date.now() - days * 86_400_000;
      for (const days of [500, 300, 200, 100, 20, 2])
        await p5.control('/deal', { login, fields: { Profit: days, TimeMsc: daysAgo(days) } });
      const accountId = await newAccount(user, { login: String(login), profileId });

      // Each round kills within another request of the reading.
      for (const command of ['/api/time', '/api/deal/get_total', '/api/deal/get_batch']) {
        const { requests } = (await p5.control('/seen')) as { requests: string[] };
        await p5.control('/fault', { kind: 'slow', command, ms: 300 });
        const path = `/users/current/accounts/${accountId}/historical-trades/${encodeURI(RANGE)}`;
        const reading = new Client(plimsoll.address, user.token).get(`${path}?updateHistory=true`);
        reading.catch(() => undefined);
        await until(async () => {
          const now = (await p5.control('/seen')) as { requests: string[] };
          return now.requests.slice(requests.length).some((line) => line.includes(command));
        });
        await plimsoll.kill();
        await p5.control('/deposit', { login, amount: 1 });
        plimsoll = await startPlimsoll(environment);
      }

      const again = new Client(plimsoll.address, user.token);
      const path = `/users/current/accounts/${accountId}/historical-trades/${encodeURI(RANGE)}`;
      let profits: number[] = [];
      await until(async () => {
        const { status, body } = await again.get<Trades>(`${path}?updateHistory=true`);
        if (status === 200) profits = body.trades.map(({ profit }) => profit);
        return status === 200;
      });
      assert.deepEqual(profits, [500, 300, 200, 100, 20, 2, 1, 1, 1]);
      await until(async () => {
        const chart = `/users/current/accounts/${accountId}/equity-chart?realTime=true`;
        return (await again.asOfNow<Bucket[]>(chart)).at(-1)?.lastBalance === 1125;
      });
      assert.equal(await plimsoll.stop(), 0);
      await database.close();
      await p5.remove();
    });
  });
}

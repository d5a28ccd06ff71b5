import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { needs, testedOn } from '../needs.ts';
import { sessionOf } from '../servers/browser-session.ts';
import { BARE_ENVIRONMENT, BIN, STARTER } from '../servers/plimsoll-bin.ts';
import { runPlimsoll } from '../servers/plimsoll-command.ts';
import {
  ADMIN_TOKEN,
  Client,
  newAccount,
  newUser,
  startOn,
  startPlimsoll,
  type TestServer,
} from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';

needs('postgres', 'server');

const SAMPLE = fileURLToPath(
  new URL('../../src/demo/statements/p4-statement.htm', import.meta.url),
);

for (const kind of testedOn()) {
  describe(`commands beside a running server on ${kind}`, () => {
    let running: TestServer;
    const run = (...args: string[]) => runPlimsoll(args, running.database.environment);
    before(async () => {
      running = await startOn(kind);
    });
    after(() => running.close());

    it('create a user and a token that the server knows at once, and revoke it', async () => {
      const user = await run('user', 'create', 'ada@example.com', '--json');
      assert.equal(user.code, 0, user.stderr);
      const { id } = JSON.parse(user.stdout) as { id: string };
      const made = await run(
        'token',
        'create',
        'ada@example.com',
        '--scopes',
        'read,write',
        '--json',
      );
      const token = JSON.parse(made.stdout) as { id: string; token: string };
      const client = new Client(running.server.address, token.token);
      assert.equal((await client.get('/users/current/accounts')).status, 200);
      assert.equal((await client.post('/users/current/snapshots', [])).status, 403);
      const listed = await run('token', 'list', id, '--json');
      assert.ok(!listed.stdout.includes(token.token) && !listed.stdout.includes('hash'));
      assert.equal((await run('token', 'revoke', token.id)).code, 0);
      assert.equal((await client.get('/users/current/accounts')).status, 401);
      assert.match((await run('user', 'list')).stdout, /ada@example\.com/);
    });

    it('invite a person, rotate a token, and take back a token with all that it made', async () => {
      await run('user', 'create', 'firm@example.com');
      const scopes = ['--scopes', 'read,write,ingest,actions'];
      const made = await run('token', 'create', 'firm@example.com', ...scopes, '--json');
      const old = JSON.parse(made.stdout) as { id: string; token: string };
      const rotated = await run('token', 'rotate', old.id, '--overlap-minutes', '5', '--json');
      const next = JSON.parse(rotated.stdout) as { id: string; token: string };
      const client = new Client(running.server.address, next.token);
      const who = ['--name', 'Anna', '--email', 'anna@example.com', '--role', 'viewer'];
      const invited = await run('person', 'invite', 'firm@example.com', ...who, '--json');
      assert.equal(invited.code, 0, invited.stderr);
      const { id, code } = JSON.parse(invited.stdout) as { id: string; code: string };
      const anna = await sessionOf(client, { code });
      assert.equal((await anna.get('/users/current/accounts')).status, 200);
      const again = await run('person', 'invite', 'firm@example.com', id);
      assert.match(again.stdout, /^plmc_[\w-]+\n$/);
      assert.equal((await run('person', 'role', 'firm@example.com', id, 'backOffice')).code, 0);
      assert.match(
        (await run('person', 'list', 'firm@example.com')).stdout,
        /anna@example\.com +backOffice/,
      );
      const looksAlike = ['--name', 'Аnna', '--email', 'a@example.com', '--role', 'viewer'];
      const refused = await run('person', 'invite', 'firm@example.com', ...looksAlike);
      assert.match(refused.stderr, /letters of one alphabet/);
      assert.equal((await run('person', 'remove', 'firm@example.com', id)).code, 0);
      assert.equal((await anna.get('/users/current/accounts')).status, 401);
      const child = (await client.post<{ token: string }>('/users/current/tokens', {})).body;
      assert.equal((await run('token', 'revoke', next.id, '--with-made')).code, 0);
      for (const { token } of [old, next, child]) {
        const ended = new Client(running.server.address, token);
        assert.equal((await ended.get('/users/current/accounts')).status, 401);
      }
    });

    it('delete a user, whose token then ends at once, and say so of one that is not there', async () => {
      const user = await newUser(running.server.address);
      const deleted = await run('user', 'delete', user.userId);
      assert.deepEqual([deleted.code, deleted.stderr], [0, '']);
      assert.match(deleted.stdout, /^User user-.*@example\.com is deleted; /);
      assert.equal((await user.get('/users/current/accounts')).status, 401);
      const again = await run('user', 'delete', user.userId);
      assert.deepEqual([again.code, again.stderr], [1, `User ${user.userId} not found\n`]);
    });

    it('list with --json the records of the API', async () => {
      const admin = new Client(running.server.address, ADMIN_TOKEN);
      const user = await newUser(running.server.address, { name: 'laptop', expiresInDays: 9 });
      const quotas = '/users/current/regions/main/quotas';
      const asked = await user.call<{ id: string }>('PATCH', quotas, { maxAccounts: 200_000 });
      const decision = `/admin/quota-requests/${asked.body.id}/decision`;
      await admin.post(decision, { decision: 'decline', message: 'Not now' });
      const settled = async () => {
        const mails = await admin.get<{ state: string }[]>('/admin/mail');
        const tokens = await admin.get<{ lastUsedAt?: string }[]>(
          `/admin/users/${user.userId}/tokens`,
        );
        const isUseStored = tokens.body.every(({ lastUsedAt }) => lastUsedAt !== undefined);
        const areSettled = mails.body.every(({ state }) => state !== 'queued');
        return mails.body.length > 0 && areSettled && isUseStored;
      };
      await until(settled, 'a mail that is settled, and the last use of the token');
      const compare = async (path: string, ...command: string[]): Promise<void> => {
        const [api, listed] = [await admin.get<unknown[]>(path), await run(...command, '--json')];
        assert.ok(api.body.length > 0, path);
        assert.deepEqual(JSON.parse(listed.stdout), api.body, path);
      };
      await Promise.all([
        compare('/admin/users', 'user', 'list'),
        compare(`/admin/users/${user.userId}/tokens`, 'token', 'list', user.userId),
        compare('/admin/quota-requests', 'quota', 'list', '--state', 'all'),
        compare('/admin/mail', 'mail', 'list'),
        compare('/admin/audit?limit=100', 'audit'),
      ]);
    });

    it('import a statement, and add nothing when it is imported again', async () => {
      await run('user', 'create', 'bob@example.com');
      const made = await run('token', 'create', 'bob@example.com', '--json');
      const { token } = JSON.parse(made.stdout) as { token: string };
      const client = new Client(running.server.address, token);
      const id = await newAccount(client, { platform: 'p4' });
      type Imported = { added: number; deals: number; trades: number; netProfit: number };
      const first = await run('import', SAMPLE, '--account', id, '--json');
      assert.equal(first.code, 0, first.stderr);
      const imported = JSON.parse(first.stdout) as Imported;
      assert.equal(imported.added, imported.deals);
      const again = await run('import', SAMPLE, '--account', id, '--json');
      assert.equal((JSON.parse(again.stdout) as Imported).added, 0);
      const path = `/users/current/accounts/${id}/historical-trades/2000-01-01%2000:00:00/2100-01-01%2000:00:00`;
      const page = await client.get<{ trades: { symbol?: string; profit: number }[] }>(path);
      const positions = page.body.trades.filter((trade) => trade.symbol);
      assert.equal(positions.length, imported.trades);
      const cents = positions.reduce((sum, trade) => sum + Math.round(trade.profit * 100), 0);
      assert.equal(cents, Math.round(imported.netProfit * 100));
    });

    it('report faults of a file or an account, and exit 1', async () => {
      const missing = await run('import', SAMPLE, '--account', 'none');
      assert.deepEqual([missing.code, missing.stderr.trim()], [1, 'Account none not found']);
      const absent = await run('import', '/nowhere.htm', '--account', 'none');
      assert.equal(absent.code, 1);
    });

    it('refuse e-mail addresses that the API would refuse, and print a token alone', async () => {
      const refused = await run('user', 'create', 'nobody');
      assert.deepEqual([refused.code, refused.stdout], [2, '']);
      assert.match(refused.stderr, /must be an e-mail address/);
      await run('user', 'create', 'eve@example.com');
      const made = await run('token', 'create', 'eve@example.com');
      assert.match(made.stdout, /^plm_[\w-]+\n$/);
      assert.match(made.stderr, /not shown again/);
    });

    it('migrate without harm if there is nothing to do', async () => {
      const done = await run('migrate', '--json');
      assert.deepEqual(JSON.parse(done.stdout), { migrations: [] });
    });
  });
}

describe('starting', () => {
  it('names every bad setting in a line of its own and exits 2', async () => {
    const environment = { PORT: '70000', LOG_LEVEL: 'loud', PLIMSOLL_SECRET_KEY: 'short' };
    const { code, stderr } = await runPlimsoll(['serve'], environment);
    assert.equal(code, 2);
    assert.deepEqual(
      stderr
        .trim()
        .split('\n')
        .map((line) => line.split(' ')[0]),
      ['PORT', 'PLIMSOLL_SECRET_KEY', 'LOG_LEVEL'],
    );
  });

  it('creates no database for a command without one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plimsoll-none-'));
    const nowhere = join(folder, 'data');
    const asked = await runPlimsoll(['user', 'list'], { PLIMSOLL_DATA: nowhere });
    assert.equal(asked.code, 2);
    assert.match(asked.stderr, /^There is no Plimsoll data in .*start the server first$/m);
    assert.equal(existsSync(nowhere), false);
    await rm(folder, { recursive: true });
  });

  it('exits 2 on an unknown command, and explains the settings with --help', async () => {
    assert.equal((await runPlimsoll(['fly'], {})).code, 2);
    const help = await runPlimsoll(['serve', '--help'], {});
    assert.equal(help.code, 0);
    assert.match(help.stdout, /PLIMSOLL_DATA .*\.\/data/);
  });

  it('ends when the port is taken', async () => {
    const running = await startOn('sqlite');
    const other = await mkdtemp(join(tmpdir(), 'plimsoll-port-'));
    const { port } = new URL(running.server.address);
    const second = await runPlimsoll(['serve'], { PORT: port, PLIMSOLL_DATA: other });
    assert.equal(second.code, 1);
    assert.match(second.stderr, /^HOST and PORT cannot be listened on: .*EADDRINUSE/m);
    await running.close();
    await rm(other, { recursive: true });
  });

  it('names the wrong setting, in one line', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plimsoll-nowhere-'));
    const file = join(folder, 'file');
    await writeFile(file, '');
    const cases = [
      { PLIMSOLL_DATA: file, code: 2, says: /^The data folder .* cannot be used by the user .+: / },
      {
        PLIMSOLL_DATA: join(file, 'data'),
        code: 2,
        says: /^The data folder .* cannot be used by the user .+: /,
      },
      {
        PLIMSOLL_DATA: '/proc/data',
        code: 2,
        says: /^The data folder .* cannot be used by the user .+: /,
      },
      { HOST: 'two words', code: 2, says: /^HOST is no address of this machine: / },
      {
        DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
        ...{ code: 1, says: /^DATABASE_URL leads to no database that can be used: / },
      },
    ];
    for (const { code, says, ...settings } of cases) {
      const place = { PLIMSOLL_DATA: join(folder, 'data'), LOG_LEVEL: 'error', PORT: '0' };
      const ended = await runPlimsoll(['serve'], { ...place, ...settings });
      assert.equal(ended.code, code, ended.stderr);
      assert.match(ended.stderr, says);
      assert.equal(ended.stderr.trim().split('\n').length, 1, ended.stderr);
    }
    await rm(folder, { recursive: true });
  });

  it('keeps its files from others, whatever the folder allows', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plimsoll-mode-'));
    await chmod(folder, 0o755);
    const { code } = await runPlimsoll(['migrate', '--create'], { PLIMSOLL_DATA: folder });
    assert.equal(code, 0);
    for (const name of await readdir(folder)) {
      assert.equal((await stat(join(folder, name))).mode & 0o077, 0, name);
    }
    await rm(folder, { recursive: true });
  });

  it('prints the operations of the specification as OpenAPI 3.1', async () => {
    const { stdout } = await runPlimsoll(['openapi'], {
      PLIMSOLL_RISK_URL: 'https://risk.example',
    });
    const document = JSON.parse(stdout) as {
      openapi: string;
      paths: Record<string, Record<string, { servers?: { url: string }[] }>>;
    };
    assert.match(document.openapi, /^3\.1/);
    const chart = document.paths['/users/current/accounts/{accountId}/equity-chart'];
    assert.deepEqual(chart?.get?.servers, [{ url: 'https://risk.example' }]);
  });

  it('demo fills itself once, with events to see, and starts again with a fresh token', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plimsoll-demo-'));
    const start = async (): Promise<{
      client: Client;
      token: string;
      stop(): Promise<number | null>;
    }> => {
      const child = spawn(process.execPath, [BIN, 'demo'], {
        env: { ...BARE_ENVIRONMENT, PORT: '0', PLIMSOLL_DATA: folder, LOG_LEVEL: 'warn' },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      let address = '';
      for await (const line of createInterface(child.stdout)) {
        address ||= /http:\S+/.exec(line)?.[0] ?? '';
        const link = /#token=(\S+)/.exec(line);
        if (!link?.[1]) continue;
        const token = link[1];
        const stop = async (): Promise<number | null> => {
          child.kill('SIGTERM');
          await once(child, 'exit');
          return child.exitCode;
        };
        return { client: new Client(address, token), token, stop };
      }
      throw new Error('demo ended');
    };
    const first = await start();
    const accounts = await first.client.get<{ id: string }[]>('/users/current/accounts');
    assert.ok(accounts.body.length >= 5);
    for (const { id } of accounts.body) {
      const trackers = await first.client.get<[]>(`/users/current/accounts/${id}/trackers`);
      assert.ok(trackers.body.length > 0, id);
    }
    const events = await first.client.get<unknown[]>('/users/current/drawdown-events/stream');
    assert.ok(events.body.length >= 1);
    // One account is near its limit, on any day and at any hour.
    type Overview = { accounts: { id: string; equity?: number }[] };
    await until(async () => {
      const overview = await first.client.get<Overview>(
        '/users/current/accounts-overview?filter=near',
      );
      return overview.body.accounts.some(({ id }) => id === 'demo-push-near');
    }, 'the account near its limit');
    const profiles = await first.client.get<unknown[]>('/users/current/provisioning-profiles');
    assert.equal(profiles.body.length, 2);
    assert.equal(await first.stop(), 0);
    const second = await start();
    assert.notEqual(second.token, first.token);
    const again = await second.client.get<unknown[]>('/users/current/accounts');
    assert.equal(again.body.length, accounts.body.length);
    const old = new Client(second.client.address, first.token);
    assert.equal((await old.get('/users/current/accounts')).status, 401);
    assert.equal(await second.stop(), 0);
    await rm(folder, { recursive: true });
  });
});

describe('an older Node', () => {
  const older = ['/usr/local/bin/node', '/usr/bin/node'].find((path) => {
    if (!existsSync(path)) return false;
    const { stdout } = spawnSync(path, ['-p', 'process.versions.node.split(".")[0]']);
    return Number(stdout.toString()) < 26;
  });
  const skip = older ? false : 'this machine has no older Node';

  it("hands over to the project's Node, and dies with it", { skip }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plimsoll-node-'));
    const child = spawn(older ?? '', [STARTER, 'serve'], {
      env: { PATH: '/usr/bin:/bin', PORT: '0', PLIMSOLL_DATA: folder },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [line] = await once(createInterface(child.stdout), 'line');
    const address = String(line).replace(/^.* on /, '');
    assert.equal((await new Client(address, undefined).get('/health/live')).status, 200);
    child.kill('SIGKILL');
    // The folder is free for the next server as soon as the one that was handed over to is gone.
    await until(async () => {
      const next = await startPlimsoll({ PLIMSOLL_DATA: folder }).catch(() => undefined);
      if (next) assert.equal(await next.stop(), 0);
      return next !== undefined;
    }, 'a server on the folder of the one that is gone');
    await rm(folder, { recursive: true });
  });
});

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { findNatsServer } from '../../scripts/install-nats-server.ts';
import type { Finding } from '../../src/app/check/finding.ts';
import { needs } from '../needs.ts';
import { freePorts } from '../servers/free-ports.ts';
import { NatsCluster } from '../servers/nats-cluster.ts';
import { runPlimsoll } from '../servers/plimsoll-command.ts';
import { newUser, startOn } from '../servers/plimsoll-process.ts';
import { startSmtpServer } from '../servers/smtp-server-process.ts';
import { openTestDatabase } from '../servers/test-databases.ts';
import { until } from '../servers/until.ts';

needs('postgres', 'server', 'nats');

const nats = await findNatsServer();
const PASSWORD = 'pass-8d21';
let closed: number | undefined;
before(async () => {
  [closed] = await freePorts(1);
});

/** What it finds, by check, with its exit code. */
async function check(environment: Record<string, string>) {
  const { code, stdout, stderr } = await runPlimsoll(['check', '--json'], environment);
  const findings = JSON.parse(stdout) as Finding[];
  assert.equal(`${stdout}${stderr}`.includes(PASSWORD), false, 'no password is told');
  const of = (name: string) => findings.find((finding) => finding.check === name);
  for (const { state, toDo } of findings)
    if (state === 'bad' || state === 'warning') assert.ok(toDo, 'it says what to do');
  return { code, of, stderr };
}

test('an empty data folder is good, and stays empty', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'plimsoll-check-'));
  t.after(() => rm(folder, { recursive: true }));
  const data = join(folder, 'data');
  const { code, of } = await check({ PLIMSOLL_DATA: data });
  assert.equal(code, 0);
  assert.equal(of('data folder')?.state, 'good');
  assert.equal(of('schema')?.state, 'unused');
  assert.equal(of('journal')?.state, 'good');
  assert.equal(existsSync(data), false);
});

test('a database of PostgreSQL is judged as a server would, and by clock and connections', async (t) => {
  const { environment, close } = await openTestDatabase('postgres');
  t.after(close);
  const { code, of } = await check(environment);
  assert.equal(code, 0);
  for (const name of ['database', 'schema', 'clock']) assert.equal(of(name)?.state, 'good', name);
  assert.match(of('database')?.found ?? '', /PostgreSQL \d+, UTF8, writable by /);
  const url = `postgres://plimsoll:${PASSWORD}@127.0.0.1:${closed}/plimsoll`;
  const away = await check({ DATABASE_URL: url });
  assert.equal(away.code, 1);
  assert.equal(away.of('database')?.state, 'bad');
});

test('another key than the one that secrets are stored under is bad', async (t) => {
  const key = () => randomBytes(32).toString('base64');
  const running = await startOn('sqlite', { PLIMSOLL_SECRET_KEY: key() });
  t.after(() => running.database.close());
  const user = await newUser(running.server.address);
  const hook = await user.post('/users/current/webhooks', { url: 'https://hooks.example.com/a' });
  assert.equal(hook.status, 201);
  await running.server.stop();
  const other = await check({ ...running.database.environment, PLIMSOLL_SECRET_KEY: key() });
  assert.equal(other.of('key')?.state, 'bad');
  assert.equal(other.code, 1);
});

test('a mail server is asked to let the sender in', async (t) => {
  const credentials = { user: 'mailer', password: PASSWORD };
  const smtp = await startSmtpServer({ credentials, startTls: false });
  t.after(() => smtp.stop());
  const at = (password: string, port: number | undefined) => ({
    SMTP_URL: `smtp://mailer:${password}@127.0.0.1:${port}?ignoreTLS=true`,
  });
  const good = await check(at(PASSWORD, smtp.port));
  assert.deepEqual(
    [good.of('mail')?.state, good.of('mail')?.found],
    ['good', `127.0.0.1:${smtp.port} takes mail`],
  );
  const refused = await check(at('other', smtp.port));
  assert.equal(refused.of('mail')?.state, 'bad');
  assert.match(refused.of('mail')?.found ?? '', /535|[Aa]uth/);
  const nobody = await check(at(PASSWORD, closed));
  assert.equal(nobody.of('mail')?.state, 'bad');
  assert.match(nobody.of('mail')?.found ?? '', /ECONNREFUSED/);
  assert.match(nobody.stderr, /1 of \d+ checks failed/);
  await smtp.setFault({ kind: 'silent' });
  assert.equal((await check(at(PASSWORD, smtp.port))).of('mail')?.state, 'bad');
});

const skip = 'missing' in nats ? nats.missing : false;
test('the servers of the journal are reached, and asked for their clock and disk', {
  skip,
}, async (t) => {
  if (!('path' in nats)) return;
  const environment = await openTestDatabase('postgres');
  t.after(environment.close);
  const at = ({ url, monitors }: Pick<NatsCluster, 'url' | 'monitors'>) => ({
    ...{ ...environment.environment, NATS_URL: url, NATS_MONITOR_URL: monitors },
  });
  const safe = await NatsCluster.start(nats.path, { nodes: 1 });
  t.after(() => safe.stop());
  const isGood = async () => (await check(at(safe))).of('journal')?.state === 'good';
  await until(isGood, 'a good journal');
  const unsafe = await NatsCluster.start(nats.path, { nodes: 1, syncInterval: '2m' });
  t.after(() => unsafe.stop());
  const found = async () => (await check(at(unsafe))).of('journal');
  // One that answers late is a warning.
  await until(async () => (await found())?.state === 'bad', 'a bad journal');
  assert.match((await found())?.found ?? '', /sync_interval/);
  const url = `nats://journal:${PASSWORD}@127.0.0.1:${closed}`;
  const away = (await check(at({ url, monitors: safe.monitors }))).of('journal');
  assert.equal(away?.state, 'bad');
});

test('a public address that leads nowhere is a warning', async () => {
  const { code, of } = await check({ PLIMSOLL_PUBLIC_URL: `http://127.0.0.1:${closed}` });
  assert.equal(of('public address')?.state, 'warning');
  assert.equal(code, 0);
});

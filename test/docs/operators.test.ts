import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { needs } from '../needs.ts';
import { Client } from '../servers/plimsoll-process.ts';
import { findBinaries, type PostgresProcess, startPostgres } from '../servers/postgres-process.ts';
import { exampleOf } from './blocks.ts';
import { commandsOf, Shell } from './shell.ts';

needs('postgres', 'server', 'curl', 'openssl');

const LISTENS = /listens on (\S+)$/;

describe('a server on PostgreSQL, by the commands of the documents', () => {
  let postgres: PostgresProcess;
  before(async () => {
    postgres = await startPostgres();
    const admin = new pg.Client({ connectionString: postgres.url });
    await admin.connect();
    await admin.query('create role postgres superuser login');
    await admin.query('create database plimsoll');
    await admin.end();
  });
  after(() => postgres.stop());

  it('is started, gets a user, decides about quotas, and is restored from a dump', async (t) => {
    const { port, hostname } = new URL(postgres.url);
    const shell = new Shell(t);
    const { PATH } = process.env;
    Object.assign(shell.variables, { PATH: `${findBinaries()}:${PATH}`, PORT: '0' });
    Object.assign(shell.variables, { PGPORT: port, PGHOST: hostname });
    // Containers are none here: what would run in them runs beside them.
    shell.standIns.push(
      'docker() { case "$2" in exec) shift 2; [ "$1" = -T ] && shift; shift; "$@" ;; esac; }',
    );
    const here = (text: string): string => text.replace('127.0.0.1:5432', `127.0.0.1:${port}`);

    const first = await shell.start(here(exampleOf('README.md', 'openssl rand')), LISTENS);
    const [, address = ''] = LISTENS.exec(first.said[0] ?? '') ?? [];
    const made = await shell.run(here(exampleOf('README.md', 'user create')));
    const [token = ''] = /plm_[\w-]+/.exec(made) ?? [];
    const ana = new Client(address, token);
    shell.variables.DATABASE_URL = `postgres://plimsoll@127.0.0.1:${port}/plimsoll`;

    await decidesQuotas(shell, ana);
    const [shown = '', ...cluster] = exampleOf('docs/scaling.md', '$ plimsoll cluster').split('\n');
    const said = (await shell.run(shown.slice(2))).split('\n');
    for (const heading of cluster.filter((line) => /^[A-Z]+ {2}/.test(line))) {
      assert.ok(
        said.some((line) => wordsOf(line) === wordsOf(heading)),
        heading,
      );
    }

    await shell.run(exampleOf('docs/operations.md', 'pg_restore'));
    await shell.run(exampleOf('deploy/README.md', 'pg_dump'));
    assert.equal(await first.stop(), 0);
    shell.variables.DATABASE_URL = `postgres://plimsoll@127.0.0.1:${port}/restored`;
    const quiet = await shell.start(exampleOf('docs/operations.md', 'serve --quiet-jobs'), LISTENS);
    const [, copy = ''] = LISTENS.exec(quiet.said[0] ?? '') ?? [];
    const { body: health } = await new Client(copy, undefined).get<object>('/health/ready');
    assert.ok('quietJobs' in health && health.quietJobs === true, JSON.stringify(health));
    assert.equal((await new Client(copy, token).get('/users/current/token')).status, 200);
    assert.equal(await quiet.stop(), 0);

    await shell.run(exampleOf('deploy/README.md', 'pg_restore'));
    shell.variables.DATABASE_URL = `postgres://plimsoll@127.0.0.1:${port}/plimsoll`;
    assert.match(await shell.run('plimsoll user list'), /ana@example\.com/);
  });
});

/** The headings of a table, whatever their distances. */
const wordsOf = (line: string): string => line.trim().split(/ {2,}/).join('|');

/** The list of pending requests, one approved and one declined, and their mails. */
async function decidesQuotas(shell: Shell, user: Client): Promise<void> {
  const block = exampleOf('docs/quotas-and-mail.md', 'plimsoll quota approve');
  const [list = '', approve = '', decline = '', audit = ''] = commandsOf(block).filter(Boolean);
  const asked = async (maxAccounts: number): Promise<string> => {
    const path = '/users/current/regions/main/quotas';
    const { status, body } = await user.call<{ id: string }>('PATCH', path, { maxAccounts });
    assert.equal(status, 201, JSON.stringify(body));
    return body.id;
  };
  const wanted = await asked(5000);
  assert.match(await shell.run(list), new RegExp(wanted));
  await shell.run(approve.replace('ID', wanted));
  const more = await asked(6000);
  await shell.run(decline.replace('ID', more));
  assert.doesNotMatch(await shell.run(list), new RegExp(more));
  const { body } = await user.get<{ userId: string }>('/users/current/token');
  assert.match(await shell.run(audit.replace('ID', body.userId)), /quota/);
}

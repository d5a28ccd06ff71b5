import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { Client, newAccount, newUser, startPlimsoll } from '../servers/plimsoll-process.ts';
import { deployFile } from './files.ts';

const run = promisify(execFile);

describe('the backup of deploy/README.md', () => {
  it('is whole while the server runs, and can be restored', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'plimsoll-backup-'));
    t.after(() => rm(folder, { recursive: true }));
    const [, code = ''] = /-e "(const \{DatabaseSync[^"]+)"/.exec(deployFile('README.md')) ?? [];
    const [data, restored] = [join(folder, 'data'), join(folder, 'restored')];
    const server = await startPlimsoll({ PLIMSOLL_DATA: data, LOG_LEVEL: 'warn' });
    t.after(() => server.stop());
    const user = await newUser(server.address);
    const id = await newAccount(user);
    await run('install', ['-d', '-m', '700', restored]);
    const paths = [join(data, 'plimsoll.db'), join(restored, 'plimsoll.db')];
    await run(process.execPath, ['-e', code, ...paths]);
    await newAccount(user);
    const second = await startPlimsoll({ PLIMSOLL_DATA: restored, LOG_LEVEL: 'warn' });
    t.after(() => second.stop());
    const client = new Client(second.address, user.token);
    const { status, body } = await client.get<{ id: string }[]>('/users/current/accounts');
    assert.equal(status, 200);
    assert.deepEqual(
      body.map((account) => account.id),
      [id],
    );
  });
});

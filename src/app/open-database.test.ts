import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { NoFolder } from '../storage/drivers/make-folder.ts';
import { openDatabase } from './open-database.ts';

const NOBODY = 65_534;

it('names the folder and the user where the file may only be read', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'plimsoll-read-only-'));
  t.after(() => rm(folder, { recursive: true }));
  const settings = { DATABASE_URL: '', PLIMSOLL_DATA: folder };
  await (await openDatabase(settings)).database.close();
  await chmod(folder, 0o777);
  await chmod(join(folder, 'plimsoll.db'), 0o444);
  const uid = process.geteuid?.();
  // Root may write whatever the file says.
  if (uid === 0) process.seteuid?.(NOBODY);
  try {
    await assert.rejects(openDatabase(settings), (error: Error) => {
      assert.ok(error instanceof NoFolder, error.message);
      assert.ok(error.message.includes(folder));
      return true;
    });
  } finally {
    if (uid === 0) process.seteuid?.(uid);
  }
});

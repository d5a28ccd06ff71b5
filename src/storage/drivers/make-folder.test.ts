import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { it } from 'node:test';
import { makeFolder } from './make-folder.ts';

it('synchronises every parent of a new folder, and none of existing ones', async (t) => {
  const top = await mkdtemp(join(tmpdir(), 'plimsoll-folder-'));
  t.after(() => rm(top, { recursive: true }));
  const folder = join(top, 'a', 'b');
  const synchronised: string[] = [];
  const note = (path: string) => synchronised.push(path);
  makeFolder(relative(process.cwd(), folder), note);
  assert.deepEqual(synchronised, [top, join(top, 'a')]);
  assert.equal((await stat(folder)).mode & 0o777, 0o700);
  makeFolder(folder, note);
  assert.equal(synchronised.length, 2);
  makeFolder(join(top, 'c'));
});

it('accepts a folder that another process creates at the same moment, and synchronises it, too', async (t) => {
  const top = await mkdtemp(join(tmpdir(), 'plimsoll-folder-'));
  t.after(() => rm(top, { recursive: true }));
  const folder = join(top, 'a', 'b');
  const synchronised: string[] = [];
  makeFolder(folder, (path) => {
    synchronised.push(path);
    if (path === top) mkdirSync(folder);
  });
  assert.deepEqual(synchronised, [top, join(top, 'a')]);
});

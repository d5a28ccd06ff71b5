import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { it } from 'node:test';
import { checkLicences } from '../../scripts/check-licences.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** A project whose one dependency has the licence, directly or one step down. */
async function report(license: unknown, isDeep: boolean): Promise<string[]> {
  const root = await mkdtemp(join(tmpdir(), 'plimsoll-licences-'));
  const add = async (folder: string, manifest: object): Promise<void> => {
    await mkdir(join(root, folder), { recursive: true });
    await writeFile(join(root, folder, 'package.json'), JSON.stringify(manifest));
  };
  await add('.', { dependencies: { first: '1' } });
  await add(
    'node_modules/first',
    isDeep ? { license: 'MIT', dependencies: { deep: '1' } } : { license },
  );
  if (isDeep) await add('node_modules/first/node_modules/deep', { license });
  const { violations } = checkLicences(root);
  await rm(root, { recursive: true });
  return violations;
}

it('finds only allowed licences in what the project ships', () => {
  const { packages, violations } = checkLicences(ROOT);
  assert.deepEqual(violations, []);
  assert.ok(packages > 50);
});

it('fails on a licence that is not on the list, at any depth, and on none at all', async () => {
  for (const license of ['GPL-3.0-only', 'SEE LICENSE IN X', 'MIT AND GPL-2.0-only', undefined]) {
    for (const isDeep of [false, true]) assert.equal((await report(license, isDeep)).length, 1);
  }
});

it('takes a package that offers an allowed licence among others', async () => {
  assert.deepEqual(await report('(GPL-3.0-only OR MIT)', false), []);
  assert.deepEqual(await report('MIT AND ISC', true), []);
});

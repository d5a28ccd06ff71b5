import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { lacks, needs } from '../needs.ts';
import { DEPLOY, deployFile, knownSettings } from './files.ts';

needs('systemd');

/**
 * Tenths, of 100: how much systemd thinks that a unit leaves open. Most services have 90 and more.
 */
const MAX_EXPOSURE = 15;
const skip = lacks('systemd');

function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-unit-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

describe('the systemd unit', { skip }, () => {
  it('is understood by systemd in every line', (t) => {
    const folder = temporaryFolder(t);
    mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
    symlinkSync(process.execPath, join(folder, 'node_modules/.bin/node'));
    const unit = join(folder, 'plimsoll.service');
    writeFileSync(unit, deployFile('plimsoll.service').replaceAll('/opt/plimsoll', folder));
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
    assert.deepEqual([status, stderr], [0, '']);
  });

  it('leaves little open', () => {
    const unit = join(DEPLOY, 'plimsoll.service');
    const args = ['security', '--offline=true', `--threshold=${MAX_EXPOSURE}`, unit];
    const { status, stdout } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
    assert.equal(status, 0, stdout.split('\n').slice(-3).join('\n'));
  });

  it('has bounds, a mask for its files, and a filter of system calls', () => {
    const unit = deployFile('plimsoll.service');
    for (const line of [
      /^MemoryMax=\d+G$/m,
      /^TasksMax=\d+$/m,
      /^UMask=0077$/m,
      /^NoNewPrivileges=yes$/m,
      /^SystemCallFilter=@system-service$/m,
      /^CapabilityBoundingSet=$/m,
    ]) {
      assert.match(unit, line);
    }
  });
});

describe('the settings file of the service', () => {
  it('names settings that exist, once each', () => {
    const names = [...deployFile('plimsoll.env').matchAll(/^([A-Z_]+)=/gm)].map(
      ([, name = '']) => name,
    );
    const known = knownSettings();
    assert.ok(names.length > 3);
    assert.equal(new Set(names).size, names.length);
    for (const name of names) assert.ok(known.has(name), name);
  });
});

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { checkStampBy } from '../../src/cli/check-stamp.ts';
import { parseNote } from '../../src/domain/evidence/signed-note.ts';
import { readToken, stampRequest, tokenOf } from '../../src/domain/evidence/time-stamp.ts';
import { askForStamp } from '../../src/network/time-stamp-authority.ts';
import { verifyText } from '../../src/services/evidence/verify-file.ts';
import { ROOT } from '../docs/blocks.ts';
import { lacks, needs, PROGRAMS } from '../needs.ts';
import { type Authority, startAuthority } from '../servers/time-stamp-authority.ts';
import { SEED } from './changes.ts';
import { makeSigner, SealedHistory } from './sealed-history.ts';

needs('openssl', 'cryptography');

const PYTHON = PROGRAMS.cryptography.find() ?? 'python3';
const skip = lacks('openssl') || lacks('cryptography');

describe('a time stamp', { skip }, () => {
  let authority: Authority;
  let other: Authority;
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-stamps-'));
  before(async () => {
    [authority, other] = await Promise.all([startAuthority(), startAuthority()]);
  });
  after(async () => {
    await Promise.all([authority.close(), other.close()]);
    rmSync(folder, { recursive: true });
  });
  const signer = makeSigner();
  const history = new SealedHistory(signer, 'user-1', [9000, 8990.5, 8800, 8700, 8600]);
  const textAt = (size: number): string => parseNote(history.headAt(size)).text;
  const stampAt = (size: number, by = authority): Promise<Buffer> =>
    askForStamp(by.url, textAt(size));
  const verify = (file: object, caFile: string | undefined = authority.caFile) =>
    verifyText(JSON.stringify(file), {
      key: signer.publicKey,
      checkStamp: caFile === '' ? undefined : checkStampBy(caFile),
    });
  const OF_ANOTHER = ['its time stamp is of another head'];

  it('is verified with the certificate of its authority, and says its time', async () => {
    const startMs = Date.now();
    const token = await stampAt(4);
    const { timeMs } = readToken(token);
    assert.ok(Math.abs(timeMs - startMs) < 60_000);
    const said = `from before ${new Date(timeMs).toISOString()}, by the time stamp`;
    const files = [
      // Stamped at the size of its head, and at an earlier one; as an export.
      { ...history.caseAt(3, 4), stamp: history.stampOf(3, 4, token) },
      { ...history.caseAt(3, 5), stamp: history.stampOf(3, 4, token) },
      { ...history.exportAt(2), stamp: { size: 4, token: token.toString('base64') } },
    ];
    for (const file of files) {
      const { faults, verified } = verify(file);
      assert.deepEqual(faults, []);
      assert.ok(
        verified.some((words) => words.startsWith(said)),
        verified.join('\n'),
      );
      const without = verify(file, '');
      assert.deepEqual(without.faults, []);
      assert.match(without.notVerified.join('\n'), /its time stamp says: pass --tsa-ca/);
    }
    assert.match(verify(history.caseAt(3)).notVerified.join('\n'), /it has no time stamp/);
    const strange = verify(files[0] ?? {}, other.caFile);
    assert.match(strange.faults.join(), /of none of the authorities/);
  });

  it('is of one head alone', async () => {
    const [third, fourth] = await Promise.all([stampAt(3), stampAt(4)]);
    const right = history.stampOf(3, 4, fourth);
    for (const stamp of [
      history.stampOf(3, 4, third),
      { ...right, size: 5 },
      { ...right, size: 2 },
      { ...right, path: right.path.toReversed() },
      { ...right, path: right.path.slice(1) },
      history.stampOf(2, 4, fourth),
    ])
      assert.deepEqual(verify({ ...history.caseAt(3), stamp }).faults, OF_ANOTHER);
    for (const size of [1, 2, 3, 5]) {
      const stamp = { size, token: fourth.toString('base64') };
      assert.deepEqual(verify({ ...history.exportAt(3), stamp }).faults, OF_ANOTHER);
    }
    const twin = new SealedHistory(signer, 'user-2', [9000, 8990.5, 8800, 8700, 8600]);
    assert.deepEqual(verify({ ...twin.caseAt(3), stamp: right }).faults, OF_ANOTHER);
  });

  it(`shows no other time with a changed bit (seed ${SEED})`, async () => {
    const token = await stampAt(4);
    const { timeMs } = readToken(token);
    const right = new Date(timeMs).toISOString();
    for (let step = 0; step < 60; step += 1) {
      const at = (step * 37 + SEED) % token.length;
      const changed = Buffer.from(token);
      changed[at] = (changed[at] ?? 0) ^ (1 << (step % 8));
      const file = { ...history.caseAt(3), stamp: history.stampOf(3, 4, changed) };
      const { faults, verified } = verify(file);
      // What the authority did not sign may differ: certificates besides its own.
      const times = verified.filter((words) => words.startsWith('from before'));
      if (faults.length === 0)
        assert.deepEqual(times, [
          `from before ${right}, by the time stamp of an authority of --tsa-ca`,
        ]);
    }
    // The last digit of its time, as it stands in it.
    const text = Buffer.from(`${right.slice(0, 19).replaceAll(/\D/g, '')}`);
    const changed = Buffer.from(token);
    const last = token.indexOf(text) + text.length - 1;
    changed[last] = (changed[last] ?? 0) ^ 1;
    assert.notEqual(readToken(changed).timeMs, timeMs);
    const { faults } = verify({ ...history.caseAt(3), stamp: history.stampOf(3, 4, changed) });
    assert.match(faults.join(), /of none of the authorities/);
  });

  it('that is cut or is none is refused in words', async () => {
    const token = await stampAt(4);
    for (let end = 0; end < token.length; end += 1)
      assert.throws(() => readToken(token.subarray(0, end)), RangeError);
    assert.throws(() => readToken(Buffer.concat([token, Buffer.of(0)])), RangeError);
  });

  it('is asked for in bounds', async () => {
    authority.say({ status: 503, body: Buffer.alloc(0) });
    await assert.rejects(stampAt(4), /answered 503/);
    authority.say({ status: 200, body: Buffer.alloc(100_000) });
    await assert.rejects(stampAt(4), /longer than a token/);
    authority.say({ status: 200, body: Buffer.from('30053003020102', 'hex') });
    await assert.rejects(stampAt(4), /refused to stamp/);
    authority.say(undefined);
    // openssl reads the question as we mean it.
    assert.equal(readToken(tokenOf(await authority.answer(stampRequest('a')))).digest.length, 32);
  });

  it('is found right and wrong by the verifier in Python, too', async () => {
    const token = await stampAt(4);
    const caFiles = [authority.caFile, other.caFile];
    const verdictsOf = (file: object, ...more: string[]): string => {
      const path = join(folder, 'file.json');
      writeFileSync(path, JSON.stringify(file));
      const args = [join(ROOT, 'docs/verify_evidence.py'), '--key', signer.publicKey, ...more];
      const run = spawnSync(PYTHON, [...args, path], {
        encoding: 'utf8',
        env: { PATH: process.env.PATH, PYTHONDONTWRITEBYTECODE: '1', PYTHONUTF8: '1' },
      });
      assert.equal(run.stderr, '');
      return run.stdout;
    };
    const right = { ...history.caseAt(3), stamp: history.stampOf(3, 4, token) };
    const part = { ...history.exportAt(2), stamp: { size: 4, token: token.toString('base64') } };
    const [trusted = '', foreign = ''] = caFiles;
    for (const file of [right, part]) {
      assert.match(
        verdictsOf(file, '--tsa-ca', trusted),
        /holds\n[\s\S]*before .* by a time stamp/,
      );
      assert.match(verdictsOf(file), /holds\n[\s\S]*stamped, not checked/);
      assert.match(verdictsOf(file, '--tsa-ca', foreign), /does NOT hold: a time stamp/);
    }
    const moved = { ...right, stamp: history.stampOf(2, 4, token) };
    assert.match(verdictsOf(moved, '--tsa-ca', trusted), /does NOT hold: a time stamp/);
  });
});

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { type KeyList, keyTextOf, listTextOf } from '../../src/domain/evidence/key-list.ts';
import { ROOT } from '../docs/blocks.ts';
import { lacks, needs, often, PROGRAMS } from '../needs.ts';
import { flippedBits, SEED, structuralChanges } from './changes.ts';
import { makeSigner, SealedHistory } from './sealed-history.ts';

needs('cryptography');

const PYTHON = PROGRAMS.cryptography.find() ?? 'python3';
const VERIFIER = join(ROOT, 'docs/verify_evidence.py');
/** Files of one command: a line of arguments is bounded. */
const AT_ONCE = 2000;

/** The verifier of docs/, which shares no code with ours, on the same files. */
describe('the verifier in Python', { skip: lacks('cryptography') }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-evidence-'));
  after(() => rmSync(folder, { recursive: true }));
  const signer = makeSigner();
  const history = new SealedHistory(signer, 'user-1', [9000, 8990.5, 8800, 8700, 8600, 8500.25]);

  /** What it says of each file. */
  const verdictsOf = (files: readonly Uint8Array[], ...more: string[]): string[] => {
    const verdicts: string[] = [];
    for (let start = 0; start < files.length; start += AT_ONCE) {
      const some = files.slice(start, start + AT_ONCE);
      const names = some.map((bytes, index) => {
        const name = `${index}.json`;
        writeFileSync(join(folder, name), bytes);
        return name;
      });
      const run = spawnSync(PYTHON, [VERIFIER, '--key', signer.publicKey, ...more, ...names], {
        ...{ cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28 },
        env: { PATH: process.env.PATH, PYTHONDONTWRITEBYTECODE: '1', PYTHONUTF8: '1' },
      });
      assert.equal(run.stderr, '');
      const found = new Map(
        [...run.stdout.matchAll(/^(\d+)\.json: (.+)$/gm)].map(([, index, words]) => [index, words]),
      );
      verdicts.push(...some.map((_, index) => found.get(String(index)) ?? 'nothing'));
      assert.equal(run.status, verdicts.slice(start).every((words) => words === 'holds') ? 0 : 1);
    }
    return verdicts;
  };
  const bytesOf = (file: object): Uint8Array => Buffer.from(JSON.stringify(file));
  const parts = Array.from({ length: history.size }, (_, index) => index + 1);

  it('accepts what ours accepts: each event and each part, at each size', () => {
    const files = parts.flatMap((size) =>
      parts
        .slice(0, size)
        .flatMap((place) => [
          history.caseAt(place, size),
          ...parts.slice(0, size).map((limit) => history.exportAt(place, limit, size)),
        ]),
    );
    const verdicts = verdictsOf(files.map(bytesOf));
    assert.deepEqual(
      verdicts.filter((words) => words !== 'holds'),
      [],
    );
  });

  it(`finds every change that ours finds (seed ${SEED})`, () => {
    for (const file of [history.caseAt(3), history.exportAt(3, 2)]) {
      const changed = [...structuralChanges(file)].map(({ what, file: other }) => ({
        ...{ what, bytes: bytesOf(other) },
      }));
      const all = [...changed, ...flippedBits(file, often(1, 8))];
      const verdicts = verdictsOf(all.map(({ bytes }) => bytes));
      const held = all.filter((_, index) => !verdicts[index]?.startsWith('does NOT hold'));
      assert.deepEqual(
        held.map(({ what }) => what),
        [],
      );
    }
  });

  it('knows a replaced key by the list of keys, and when each was in use', () => {
    const next = makeSigner();
    const key = signer.publicKey;
    const listOf = (changedAt: string, by = signer): KeyList => {
      const first = { publicKey: key, validFrom: '2026-01-01T00:00:00.000Z' };
      const second = { publicKey: next.publicKey, validFrom: changedAt };
      const keys = [
        { ...first, validUntil: changedAt, signature: signer.sign(keyTextOf(undefined, first)) },
        { ...second, signature: by.sign(keyTextOf(key, second)) },
      ];
      return { keys, signature: next.sign(listTextOf(keys)) };
    };
    const path = join(folder, 'keys.json');
    const grown = new SealedHistory(next, 'user-1', [9000, 8990.5, 8800], key);
    // The event is of 2 March, the annex of 3 March.
    const files = [grown.caseAt(3), grown.exportAt(1), history.caseAt(3)].map(bytesOf);
    const said = (list: KeyList): string[] => {
      writeFileSync(path, JSON.stringify(list));
      return verdictsOf(files, '--keys', path);
    };
    const ANOTHER = 'does NOT hold: signed by another key';
    assert.deepEqual(said(listOf('2026-03-02T12:00:00.000Z')), ['holds', 'holds', ANOTHER]);
    assert.deepEqual(said(listOf('2026-03-04T00:00:00.000Z')), [ANOTHER, 'holds', 'holds']);
    const kept = join(folder, 'old-head.txt');
    writeFileSync(kept, history.headAt(2));
    writeFileSync(path, JSON.stringify(listOf('2026-03-02T12:00:00.000Z')));
    assert.deepEqual(verdictsOf(files.slice(0, 2), '--keys', path, '--head', kept), [
      ...['holds', 'holds'],
    ]);
    const args = ['--key', key, '--keys', path, '0.json'];
    const sound = listOf('2026-03-02T12:00:00.000Z');
    const [first, second] = sound.keys;
    assert.ok(first && second);
    for (const list of [
      listOf('2026-03-02T12:00:00.000Z', next),
      { keys: sound.keys },
      { ...sound, keys: [second] },
      { ...sound, keys: [first] },
      { ...sound, keys: [first, { ...second, validFrom: first.validFrom }] },
      { ...sound, keys: [{ ...first, validUntil: '2026-09-01T00:00:00.000Z' }, second] },
    ]) {
      writeFileSync(path, JSON.stringify(list));
      const run = spawnSync(PYTHON, [VERIFIER, ...args], { cwd: folder, encoding: 'utf8' });
      assert.equal(run.status, 1);
      assert.match(run.stderr, /list of keys/);
    }
  });

  it('knows earlier heads, and another history by them', () => {
    const kept = join(folder, 'kept.txt');
    writeFileSync(kept, history.headAt(4));
    const fork = new SealedHistory(signer, 'user-1', [9000, 8990.5, 8000, 8000, 8000, 8000]);
    const files = [history.caseAt(6), history.exportAt(5), history.exportAt(1, 3, 3)];
    assert.deepEqual(verdictsOf(files.map(bytesOf), '--head', kept), [
      ...['holds', 'holds'],
      'does NOT hold: nothing shows that it is one history with 4 records',
    ]);
    assert.deepEqual(verdictsOf([bytesOf(fork.exportAt(5))], '--head', kept), [
      'does NOT hold: another history',
    ]);
  });
});

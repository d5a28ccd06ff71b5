import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
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

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type KeyList, keyTextOf, listTextOf } from '../../src/domain/evidence/key-list.ts';
import { verifyText, verifyTexts } from '../../src/services/evidence/verify-file.ts';
import { often } from '../needs.ts';
import { type Fields, flippedBits, SEED, structuralChanges } from './changes.ts';
import { makeSigner, SealedHistory } from './sealed-history.ts';

const signer = makeSigner();
const key = signer.publicKey;
const EQUITIES = [9000, 8990.5, 8800, 8700, 8600, 8500.25, 8400];
const history = new SealedHistory(signer, 'user-1', EQUITIES);
/** The same server's other user, and the same user's other history, after the first two events. */
const neighbour = new SealedHistory(signer, 'user-2', EQUITIES);
const fork = new SealedHistory(
  signer,
  'user-1',
  EQUITIES.map((equity, index) => (index < 2 ? equity : equity + 1000)),
);
const imposter = new SealedHistory(makeSigner(), 'user-1', EQUITIES);

const faultsOf = (file: unknown): string[] => verifyText(JSON.stringify(file), { key }).faults;

/** Whether bytes are found to be no file of ours, as the command reads them. */
function isFound(bytes: Uint8Array): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return verifyText(text, { key }).faults.length > 0;
  } catch (error) {
    return error instanceof TypeError;
  }
}

describe('a case file and an export', () => {
  const files = { case: history.caseAt(3), export: history.exportAt(3, 2) };

  it('hold as they are answered, for each event and each part, at each size', () => {
    for (let size = 1; size <= history.size; size += 1) {
      for (let place = 1; place <= size; place += 1) {
        assert.deepEqual(faultsOf(history.caseAt(place, size)), []);
        for (let limit = 1; limit <= size; limit += 1)
          assert.deepEqual(faultsOf(history.exportAt(place, limit, size)), []);
      }
    }
  });

  for (const [name, file] of Object.entries(files)) {
    it(`do not hold with one other bit (${name}, seed ${SEED})`, () => {
      for (const { what, bytes } of flippedBits(file, often(1, 8))) assert.ok(isFound(bytes), what);
    });

    it(`do not hold with any part removed, added, renamed, moved or emptied (${name})`, () => {
      let count = 0;
      for (const { what, file: changed } of structuralChanges(file)) {
        count += 1;
        assert.ok(faultsOf(changed).length > 0, what);
      }
      assert.ok(count > 20, `${count} changes`);
    });

    it(`do not hold with a field twice, first or last (${name})`, () => {
      const text = JSON.stringify(file);
      for (const [field, value] of Object.entries(file) as [string, unknown][]) {
        const pair = `"${field}":${JSON.stringify(value)}`;
        for (const twice of [`{${pair},${text.slice(1)}`, `${text.slice(0, -1)},${pair}}`])
          assert.deepEqual(verifyText(twice, { key }).faults, ['it has a field twice'], field);
      }
    });

    it(`hold however the JSON around their texts is written (${name})`, () => {
      fc.assert(
        fc.property(
          fc.shuffledSubarray(Object.keys(file), { minLength: Object.keys(file).length }),
          fc.nat(4),
          (names, indent) => {
            const own = file as Fields;
            const again = Object.fromEntries(names.map((field) => [field, own[field]]));
            assert.deepEqual(
              verifyText(JSON.stringify(again, undefined, indent), { key }).faults,
              [],
            );
          },
        ),
        { numRuns: 30 },
      );
    });

    it(`do not hold cut short anywhere (${name})`, () => {
      const text = JSON.stringify(file);
      for (let end = 0; end < text.length; end += 7)
        assert.ok(verifyText(text.slice(0, end), { key }).faults.length > 0, `${end}`);
    });
  }

  it('do not hold with a part of another event, user, history or server', () => {
    const own: Fields = files.case;
    for (const [who, other] of Object.entries({
      event: history.caseAt(4),
      user: neighbour.caseAt(3),
      history: fork.caseAt(3),
      server: imposter.caseAt(3),
    })) {
      for (const [name, value] of Object.entries(other) as [string, unknown][]) {
        if (own[name] === value) continue;
        assert.ok(faultsOf({ ...own, [name]: value }).length > 0, `${name} of another ${who}`);
      }
    }
    assert.match(faultsOf(imposter.caseAt(3)).join(), /^it is signed by another key/);
  });
});

describe('the trader’s lawyer cannot', () => {
  it('show two statements in a file, or fields that nobody sealed', () => {
    const text = JSON.stringify(history.caseAt(3));
    const forged = JSON.stringify(JSON.stringify({ measured: { equity: 9600 } }));
    const two = `{"statement":${forged},${text.slice(1)}`;
    assert.deepEqual(verifyText(two, { key }).faults, ['it has a field twice']);
    const foreign = `{"verdict":"the firm cheated",${text.slice(1)}`;
    assert.deepEqual(verifyText(foreign, { key }).faults, [
      'it has another form: verdict is unknown',
    ]);
  });

  it('leave out, renumber, move or replay what an export shows', () => {
    const whole = history.exportAt(1);
    const { seals } = whole;
    const attacks = {
      'the first left out': { ...whole, seals: seals.slice(1) },
      'the first left out, the rest moved up': { ...whole, fromPlace: 2, seals: seals.slice(1) },
      'the last left out': { ...whole, seals: seals.slice(0, -1) },
      'one in the middle left out': { ...whole, seals: seals.toSpliced(3, 1) },
      'one twice': { ...whole, seals: seals.toSpliced(3, 0, seals[3] ?? '') },
      'two exchanged': { ...whole, seals: seals.toSpliced(1, 2, seals[2] ?? '', seals[1] ?? '') },
      'all moved by seven': { ...whole, fromPlace: 8 },
      'none left': { ...whole, seals: [] },
      'none left, and no head': { ...whole, head: undefined, seals: [] },
      'the head of a smaller tree': { ...whole, head: history.headAt(5) },
      'a part in the place of another': { ...history.exportAt(3, 2), fromPlace: 5 },
      'the seals of another user': { ...whole, seals: neighbour.exportAt(1).seals.toReversed() },
    };
    for (const [what, attack] of Object.entries(attacks))
      assert.ok(faultsOf(attack).length > 0, what);
  });

  it('pass off an older answer, if a later head was kept', () => {
    const heads = [history.headAt(7)];
    const older = JSON.stringify(history.exportAt(1, 5, 5));
    assert.deepEqual(verifyText(older, { key }).faults, []);
    assert.deepEqual(verifyText(older, { key, heads }).faults, [
      'it ends before the given head of 7 records: cut, or too old',
    ]);
    const oldCase = JSON.stringify(history.caseAt(2, 5));
    assert.match(
      verifyText(oldCase, { key, heads }).faults.join(),
      /add an export from the place 6/,
    );
    const link = JSON.stringify(history.exportAt(6));
    for (const { faults } of verifyTexts([oldCase, link], { key, heads }))
      assert.deepEqual(faults, []);
  });
});

describe('a dishonest operator cannot', () => {
  it('remove or change what somebody has a head of', () => {
    const heads = [history.headAt(4)];
    for (const file of [fork.exportAt(1), fork.exportAt(5), fork.exportAt(1, 4, 4)]) {
      const [report] = verifyTexts([JSON.stringify(file)], { key, heads });
      assert.deepEqual(report?.faults, ['another history than the given head of 4 records']);
    }
    const file = JSON.stringify(fork.caseAt(6));
    const reports = verifyTexts([file, JSON.stringify(fork.exportAt(5))], { key, heads });
    for (const { faults } of reports)
      assert.deepEqual(faults, ['another history than the given head of 4 records']);
    assert.match(verifyText(file, { key, heads }).faults.join(), /nothing connects it/);
    // What was the same until then is still shown to be.
    const early = verifyText(JSON.stringify(fork.exportAt(3)), { key, heads: [history.headAt(2)] });
    assert.deepEqual(early.faults, []);
  });

  it('give two people two histories, if they meet', () => {
    const [one, other] = [JSON.stringify(history.caseAt(6)), JSON.stringify(fork.caseAt(6))];
    for (const { faults } of verifyTexts([one, other], { key })) {
      assert.deepEqual(faults, [
        'another file has another statement at the place 6',
        'another file shows another history',
      ]);
    }
    const grown = JSON.stringify(fork.caseAt(3, 5));
    const link = JSON.stringify(history.exportAt(5));
    const [mine, theirs] = verifyTexts([one, grown, link], { key });
    assert.deepEqual(mine?.faults, ['another file shows another history']);
    assert.deepEqual(theirs?.faults, ['another file shows another history']);
  });

  it('pass off the heads of another user, or by another key', () => {
    const file = JSON.stringify(history.exportAt(1));
    const heads = [neighbour.headAt(7)];
    assert.deepEqual(verifyText(file, { key, heads }).faults, [
      'the given head is of another tree',
    ]);
    const foreign = { key, heads: [imposter.headAt(7)] };
    assert.throws(() => verifyText(file, foreign), /signed by none of the keys/);
  });
});

it('a key counts from when it was listed to its end, for what was sealed before too', () => {
  const next = makeSigner();
  const [start, change] = ['2026-01-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'];
  const listOf = (changedAt: string): KeyList => {
    const first = { publicKey: key, validFrom: start };
    const second = { publicKey: next.publicKey, validFrom: changedAt };
    const keys = [
      { ...first, validUntil: changedAt, signature: signer.sign(keyTextOf(undefined, first)) },
      { ...second, signature: signer.sign(keyTextOf(key, second)) },
    ];
    return { keys, signature: next.sign(listTextOf(keys)) };
  };
  const grown = JSON.stringify(new SealedHistory(next, 'user-1', EQUITIES, key).caseAt(3));
  const old = JSON.stringify(history.caseAt(3));
  const faults = (text: string, list: KeyList) => verifyText(text, { key, list }).faults;
  // The event is of 2 March, the annex of 3 March.
  assert.deepEqual(faults(grown, listOf('2026-03-03T00:00:00.000Z')), []);
  assert.deepEqual(faults(grown, listOf(change)), []);
  assert.deepEqual(faults(grown, listOf('2026-03-04T00:00:00.000Z')), [
    'it is signed by another key',
  ]);
  assert.deepEqual(faults(old, listOf('2026-03-04T00:00:00.000Z')), []);
  assert.deepEqual(faults(old, listOf(change)), ['it is signed by another key']);
});

it('a report says what was verified, and what was not', () => {
  const { verified, notVerified } = verifyText(JSON.stringify(history.caseAt(3)), {});
  const said = verified.join('\n');
  for (const words of [
    'event 46: drawdown of the account challenge-1, login 700001 at Example “Süd”',
    'equation: 8800 − 0 = 8800; 10000 − 8800 = 1200 > 500',
    'the last snapshot: balance 10000, equity 8800, at 2026-03-02 11:00:00.000',
    'sealed at 2026-03-02T09:00:01.250Z',
    `place 3 of 7\ntree: ${history.origin}`,
  ])
    assert.ok(said.includes(words), words);
  const open = notVerified.join('\n');
  for (const words of ['whose key', 'other history', 'what the platform showed', 'the times'])
    assert.ok(open.includes(words), words);
  const cosigned = {
    ...history.exportAt(1),
    head: `${history.headAt(7)}— witness.example AAAAAAAA\n`,
  };
  const witnessed = verifyText(JSON.stringify(cosigned), { key });
  assert.deepEqual(witnessed.faults, []);
  assert.match(witnessed.notVerified.join(), /the signature of witness\.example/);
});

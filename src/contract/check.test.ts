import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import Type, { type TSchema } from 'typebox';
import { spoiled, validValue } from '../../test/fuzz/values.ts';
import { seedOr } from '../../test/seed.ts';
import { Random } from '../../test/simulation/random.ts';
import { FORMATS } from '../services/formats.ts';
import { compileCheck } from './check.ts';
import { Faults, MAX_FAULTS } from './faults.ts';
import { OPERATIONS } from './operations.ts';
import { record, setOf, text, words } from './primitives.ts';

const SEED = seedOr(1);

function faultsOf(schema: TSchema, value: unknown): string[] {
  const check = compileCheck(schema, FORMATS);
  const faults = new Faults();
  const own = check.judge(value);
  if (own !== undefined) faults.add('body', own);
  else check.walk?.(value, '', faults);
  return faults.list.map(({ parameter, message }) => `${parameter} ${message}`);
}

/** Passes over what a record ignores: nobody reads it. */
const ignoringIn = (schema: TSchema) => (key: string, part: unknown) =>
  key === 'unknown' && (schema as { additionalProperties?: boolean }).additionalProperties !== false
    ? ''
    : part;

test(`accepts the same values as a validator of JSON Schema (seed ${SEED})`, () => {
  const ajv = new Ajv({ strict: false, unicodeRegExp: true, addUsedSchema: false });
  for (const [name, { holds }] of Object.entries(FORMATS)) ajv.addFormat(name, holds);
  const random = new Random(SEED);
  let [taken, refused] = [0, 0];
  for (const { operationId, body } of OPERATIONS) {
    if (!body) continue;
    // A record named twice in a body is two schemas of one id to that validator.
    const plain = JSON.parse(
      JSON.stringify(body, (key, part) => (key === '$id' ? undefined : part)),
    ) as TSchema;
    const isValid = ajv.compile(plain);
    for (let round = 0; round < 300; round += 1) {
      const valid = validValue(plain, random, () => ({}));
      const value = random.chance(0.6) ? spoiled(valid, random) : valid;
      // That validator counts items in an object of their names, where this one is none.
      if (JSON.stringify(value).split('"__proto__"').length > 2) continue;
      const faults = faultsOf(body, value);
      const isTaken = faults.length === 0;
      // Which halves of surrogate pairs that validator takes for characters.
      const isUnicode = !JSON.stringify(value, ignoringIn(plain)).includes('\\ud');
      const what = `${operationId} ${JSON.stringify(value)}: ${faults.join()}`;
      assert.equal(isTaken, isUnicode && isValid(value), what);
      if (isTaken) taken += 1;
      else refused += 1;
    }
  }
  assert.ok(taken > 500 && refused > 500, `${taken} taken, ${refused} refused`);
});

test('faults name their place and the expected value', () => {
  const row = record('Row', {
    name: text(5, 'Name'),
    kind: words(['a', 'b']),
    share: Type.Number({ exclusiveMinimum: 0, maximum: 1 }),
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })),
    set: Type.Optional(setOf(words(['x', 'y']), 2)),
  });
  const good = { name: 'n', kind: 'a', share: 1 };
  const rows = Type.Array(row, { maxItems: 3 });
  assert.deepEqual(faultsOf(rows, [good]), []);
  assert.deepEqual(faultsOf(rows, [good, { ...good, name: 'longer', kind: 'c', share: 0 }, {}]), [
    '[1].name must be text of 1 to 5 characters',
    '[1].kind must be one of a, b',
    '[1].share must be a number greater than 0 and at most 1',
    '[2].name is required',
    '[2].kind is required',
    '[2].share is required',
  ]);
  assert.deepEqual(faultsOf(rows, [{ ...good, count: 1.5, set: ['x', 'x'], nane: 1 }, 7]), [
    '[0].nane is not known; did you mean name?',
    '[0].count must be an integer from 1 to 9',
    '[0].set must not have an item twice',
    '[1] must be an object',
  ]);
  assert.deepEqual(faultsOf(rows, {}), ['body must be an array']);
  assert.deepEqual(faultsOf(rows, [good, good, good, good]), ['body must have at most 3 items']);
  assert.deepEqual(faultsOf(row, { ...good, name: 'a\0' }), [
    'name must not contain control characters, nor marks that turn the direction of text',
  ]);
});

test('checking ends when the faults are full, and invented names are cut', () => {
  const rows = Type.Array(record('Row', { a: Type.Integer() }), { maxItems: 1e6 });
  let looked = 0;
  const list = Array.from({ length: 100_000 }, () => ({
    get a() {
      looked += 1;
      return 'x';
    },
  }));
  assert.equal(faultsOf(rows, list).length, MAX_FAULTS);
  assert.equal(looked, MAX_FAULTS);
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`k${n}`, n]));
  assert.equal(faultsOf(rows, [many]).length, MAX_FAULTS);
  const [long = ''] = faultsOf(rows, [{ a: 1, ['x'.repeat(100_000)]: 1 }]);
  assert.ok(long.length < 100, long);
});

test('a field named __proto__ is refused, even where others are accepted', () => {
  const open = Type.Object({ a: Type.Optional(Type.Integer()) }, { additionalProperties: true });
  assert.deepEqual(faultsOf(open, JSON.parse('{"b":1}')), []);
  assert.deepEqual(faultsOf(open, JSON.parse('{"__proto__":1}')), ['__proto__ is not known']);
});

test('half of a surrogate pair is refused', () => {
  const name = record('Row', { name: text(5, 'Name') });
  assert.deepEqual(faultsOf(name, { name: 'a🚀' }), []);
  for (const half of ['\ud83d', '\ude80', 'a\ud83d'])
    assert.deepEqual(faultsOf(name, { name: half }), ['name must be valid Unicode text']);
});

test('characters are counted as people count them', () => {
  const three = record('T', { t: Type.String({ minLength: 2, maxLength: 3 }) });
  assert.deepEqual(faultsOf(three, { t: '🚀🚀🚀' }), []);
  assert.equal(faultsOf(three, { t: '🚀🚀🚀🚀' }).length, 1);
  assert.equal(faultsOf(three, { t: '🚀' }).length, 1);
});

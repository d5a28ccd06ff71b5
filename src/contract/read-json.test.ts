import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Type, { type TSchema } from 'typebox';
import { fc } from '../../test/properties.ts';
import { compileCheck } from './check.ts';
import { Faults, MAX_FAULTS } from './faults.ts';
import { record } from './primitives.ts';
import { readJson, readNdjson } from './read-json.ts';

const row = record('Row', {
  id: Type.String({ maxLength: 40_000 }),
  n: Type.Optional(Type.Number()),
  parts: Type.Optional(Type.Array(record('Part', { p: Type.Integer() }), { maxItems: 5000 })),
});
const rows = Type.Array(row, { maxItems: 10_000 });
const both = record('Both', { left: rows, right: Type.Optional(rows) });

type Outcome = { value: unknown; faults: string[]; steps: number };

function run(read: typeof readJson, text: string | Buffer, schema: TSchema): Outcome {
  const faults = new Faults();
  const reading = read(Buffer.from(text), compileCheck(schema, {}), faults);
  for (let steps = 1; ; steps += 1) {
    const step = reading.next();
    if (!step.done) continue;
    const value = step.value === 'tooMany' ? 'tooMany' : step.value.value;
    const named = faults.list.map(({ parameter, message }) => `${parameter} ${message}`);
    return { value, faults: named, steps };
  }
}
const json = (text: string | Buffer, schema: TSchema = rows) => run(readJson, text, schema);
const ndjson = (text: string | Buffer) => run(readNdjson, text, rows);
const megabytes = (count: number): number => count * 1024 * 1024;

describe('reading JSON in pieces', () => {
  const someRow = fc.record(
    {
      id: fc.oneof(
        fc.string({ maxLength: 5, unit: 'grapheme' }),
        fc.string({ minLength: 8000, maxLength: 12_000 }),
        fc.constantFrom('"', '\\', '\\"', '[{', '}]', ',', ':', '\u2028', '🚀'),
      ),
      n: fc.double({ noNaN: true, noDefaultInfinity: true }),
      parts: fc.array(fc.record({ p: fc.integer() }), { maxLength: 50 }),
    },
    { requiredKeys: ['id'] },
  );
  const someRows = fc.array(someRow, { maxLength: 30, size: 'max' });
  const spaces = fc.constantFrom(undefined, 1, '\t', '\r\n ');

  it('reads everything that JSON.parse reads, with any spacing', () => {
    fc.assert(
      fc.property(someRows, someRows, spaces, (left, right, space) => {
        const text = JSON.stringify({ left, right }, undefined, space);
        const { value, faults } = json(text, both);
        assert.deepEqual(faults, []);
        assert.deepEqual(value, JSON.parse(text));
      }),
      { numRuns: 40 },
    );
  });

  it('reads one row per line, with any line ends', () => {
    fc.assert(
      fc.property(someRows, fc.constantFrom('\n', '\r\n', '\n\n'), (list, end) => {
        const text = list.map((one) => JSON.stringify(one) + end).join('');
        const { value, faults } = ndjson(text);
        assert.deepEqual(faults, []);
        assert.deepEqual(value, JSON.parse(JSON.stringify(list)));
      }),
      { numRuns: 40 },
    );
  });

  it('refuses everything that JSON.parse refuses', () => {
    fc.assert(
      fc.property(
        someRows,
        fc.nat(),
        fc.constantFrom('', '"', '[', ']', ',', '}', '\\'),
        (list, at, put) => {
          const good = JSON.stringify({ left: [{ id: 'x'.repeat(20_000) }, ...list] });
          const place = at % good.length;
          // In bytes: half of a cut character is no character.
          const text = `${good.slice(0, place)}${put}${good.slice(place + 1)}`.toWellFormed();
          let parsed: unknown;
          try {
            parsed = JSON.parse(text);
          } catch {
            parsed = undefined;
          }
          const { value, faults } = json(text, both);
          if (parsed === undefined) assert.ok(faults.length > 0, text.slice(-200));
          else if (faults.length === 0) assert.deepEqual(value, parsed);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('accepts a byte order mark', () => {
    assert.deepEqual(json('\ufeff[{"id":"a"}]').value, [{ id: 'a' }]);
    assert.deepEqual(ndjson('\ufeff{"id":"a"}\n').value, [{ id: 'a' }]);
  });

  it('counts rows before reading one, and accepts up to the bound', () => {
    const of = (count: number, one = '{"id":"a"}') => Array<string>(count).fill(one);
    assert.deepEqual(json(`[${of(10_000)}]`).faults, []);
    assert.equal(json(`[${of(10_001)}]`).value, 'tooMany');
    assert.equal(json(`[${of(10_001, '7')}]`).value, 'tooMany');
    assert.equal((ndjson(of(10_000).join('\n')).value as unknown[]).length, 10_000);
    assert.equal(ndjson(of(10_001).join('\n')).value, 'tooMany');
    const nested = json(`{"left":[${of(10_001)}]}`, both);
    assert.deepEqual(nested.faults, ['left must have at most 10000 items']);
  });

  it('names the rows and fields of a large body', () => {
    const long = { id: 'x'.repeat(20_000) };
    const text = JSON.stringify({ left: [long, {}, { ...long, x: 1 }], rigt: [], right: 7 });
    assert.deepEqual(json(text, both).faults, [
      'left[1].id is required',
      'left[2].x is not known',
      'rigt is not known; did you mean right?',
      'right must be an array',
    ]);
    assert.deepEqual(json(`[${JSON.stringify(long)},]`).faults, ['[1] is not valid JSON']);
    assert.deepEqual(json(`[${JSON.stringify(long)}] x`).faults, ['body is not valid JSON']);
    assert.deepEqual(json(`[${JSON.stringify(long)}`).faults, ['body is not valid JSON']);
    assert.deepEqual(json(`{"left":[${JSON.stringify(long)}]}`).faults, ['body must be an array']);
  });

  // These once blocked the server for seconds, or took all its memory.
  const WORST: [string, () => string | Buffer][] = [
    ['16 MB of {}', () => `[${'{},'.repeat(megabytes(16) / 3)}{}]`],
    ['16 MB of lists', () => `[${'[],'.repeat(megabytes(16) / 3)}[]]`],
    ['16 MB of texts', () => `[${'"a",'.repeat(megabytes(16) / 4)}"a"]`],
    ['16 MB of brackets', () => '['.repeat(megabytes(16))],
    ['16 MB of blanks', () => Buffer.alloc(megabytes(16), ' ')],
    ['one row of 16 MB of fields', () => `[{${'"a":1,'.repeat(megabytes(16) / 6)}"id":"a"}]`],
    ['one row of 16 MB of parts', () => `[{"id":"a","parts":[${'{},'.repeat(megabytes(5))}{}]}]`],
    ['one field of 16 MB of lists', () => `[{"id":${'['.repeat(megabytes(16))}}]`],
    ['one text of 16 MB', () => `[{"id":"${'a'.repeat(megabytes(16))}"}]`],
    ['one number of 16 MB', () => `[{"id":"a","n":${'1'.repeat(megabytes(16))}}]`],
    ['one name of 16 MB', () => `[{"${'a'.repeat(megabytes(16))}":1}]`],
    ['9999 wrong rows', () => `[${'{"id":[1,2,3],"n":"x","y":1},'.repeat(9998)}{}]`],
  ];
  for (const [what, make] of WORST) {
    it(`gives up on ${what} after a bounded number of parsed pieces`, (t) => {
      const parse = t.mock.method(JSON, 'parse');
      const body = make();
      const { faults, value } = json(body);
      assert.ok(value === 'tooMany' || faults.length > 0);
      assert.ok(faults.length <= MAX_FAULTS);
      const parsed = parse.mock.calls.reduce(
        (sum, call) => sum + String(call.arguments[0]).length,
        0,
      );
      assert.ok(parsed < 500_000, `${parsed} characters in ${parse.mock.callCount()} calls`);
    });
  }

  it('lets other work run within a text as anywhere else, and between blank lines', () => {
    const most = megabytes(4);
    const pieces = most / (64 * 1024);
    for (const text of ['a', '\\\\', '\\"', '{}']) {
      const long = text.repeat(most / text.length);
      assert.ok(json(`[{"id":"${long}"}]`).steps >= pieces, text);
      assert.ok(json(`[{"id":"${long}`).steps >= pieces, `${text} without an end`);
    }
    const blank = `${' '.repeat(1000)}\n`;
    const { steps, value } = ndjson(blank.repeat(most / blank.length));
    assert.deepEqual(value, []);
    assert.ok(steps >= pieces - 1, `${steps} steps`);
  });

  it('gives up on a body with too many lines', () => {
    for (const line of ['', 'x', '{}', '[', '"']) {
      const lines = Buffer.from(`${line}\n`.repeat(megabytes(16) / (line.length + 1)));
      assert.equal(ndjson(lines).value, 'tooMany');
    }
    assert.equal(ndjson('x\n'.repeat(9000)).faults.length, MAX_FAULTS);
    assert.deepEqual(ndjson(Buffer.alloc(megabytes(16), '[')).faults, ['[0] must be an object']);
  });
});

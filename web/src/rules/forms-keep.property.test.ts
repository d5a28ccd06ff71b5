import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import {
  createProgramOperation,
  type NewProgram,
} from '../../../src/contract/operations/programs.ts';
import { saveRuleTemplateOperation } from '../../../src/contract/operations/rule-templates.ts';
import type { NewTracker } from '../../../src/contract/operations/trackers.ts';
import { checkTracker } from '../../../src/domain/live/check-tracker.ts';
import { programFaults } from '../../../src/services/programs/define-program.ts';
import { formOf as formOfProgram } from '../programs/program-form.ts';
import { obstacleOf as obstacleOfProgram, toProgram } from '../programs/read-program.ts';
import { formOf, obstacleOf, toNewTracker } from './rule-form.ts';

/*
 * Forms that send a whole rule or program: whatever the contract allows, and what it may get, is
 * there after a form was opened and saved. The contract's own schemas say what there can be, so a
 * new property is tried by itself.
 */

type Schema = {
  type: string;
  enum?: readonly string[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
  maxItems?: number;
  uniqueItems?: boolean;
  exclusiveMinimum?: number;
  maximum?: number;
  pattern?: string;
  format?: string;
};

/** A property that no form knows. */
const UNKNOWN = { isOfTheFuture: true };
/** Values that a form may leave out: they mean what is meant without them. */
const USUAL: Record<string, string | boolean> = {
  ...{ baseline: 'startBalance', limitBase: 'baseline', inclusive: false, dryRun: false },
  ...{ confirm: 'platform', moment: 'breach' },
  ...{ onPayout: 'follows', measured: 'equity', judged: 'always' },
  ...{ from: 'balance', shareOf: 'initialBalance', onBreach: 'fail' },
  ...{ by: 'balance', count: 'opened', of: 'profit', per: 'account' },
};

function drawOf(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: 1, max: schema.maximum ?? 10 });
    case 'number':
      return numberOf(schema);
    case 'array':
      return listOf(schema);
    case 'object':
      return recordOf(schema);
    default:
      return textOf(schema);
  }
}

/** Amounts of money in cents, fractions of seven digits, seconds. */
function numberOf({ maximum = 1, exclusiveMinimum }: Schema): fc.Arbitrary<number> {
  if (maximum > 1000) {
    return fc.integer({ min: 1, max: Math.min(1e9, maximum) * 100 }).map((cents) => cents / 100);
  }
  if (exclusiveMinimum === undefined) {
    return fc.integer({ min: 0, max: maximum * 2 }).map((halves) => halves / 2);
  }
  return fc.integer({ min: 1, max: 9_999_999 }).map((parts) => parts / 1e7);
}

function textOf({ pattern = '', format }: Schema): fc.Arbitrary<string> {
  if (format === 'time-zone') return fc.constantFrom('Europe/Prague', 'America/New_York', 'UTC');
  if (pattern.includes('[0-5][0-9]')) return fc.constantFrom('00:00', '17:30');
  return fc.constantFrom('One', 'breached\\usd', 'Größe');
}

const listOf = ({ items, maxItems = 3, uniqueItems }: Schema): fc.Arbitrary<unknown> => {
  const one = items ? drawOf(items) : fc.constant(undefined);
  const size = { minLength: 1, maxLength: Math.min(3, maxItems) };
  return uniqueItems ? fc.uniqueArray(one, size) : fc.array(one, size);
};

function recordOf({ properties = {}, required = [] }: Schema): fc.Arbitrary<object> {
  const values = Object.entries(properties).map(([name, each]) => [name, drawOf(each)]);
  return fc.record(Object.fromEntries(values), { requiredKeys: [...required] });
}

type Fault = { parameter: string };

/** Without what the server refuses, as far as leaving it out helps. */
function lawful<T extends object>(record: T, faultsOf: (record: T) => Fault[]): T | undefined {
  const copy = structuredClone(record);
  for (let round = 0; round < 300; round += 1) {
    const [fault] = faultsOf(copy);
    if (!fault) return copy;
    const steps = fault.parameter.split(/[.[\]]+/).filter(Boolean);
    while (steps.length > 0 && !leftOut(copy, steps)) steps.pop();
  }
  return undefined;
}

/** Leaves out what stands at the end of these steps; false if there is nothing. */
function leftOut(record: object, steps: readonly string[]): boolean {
  const last = steps.at(-1) ?? '';
  let place: object = record;
  for (const step of steps.slice(0, -1)) place = Reflect.get(place, step) ?? {};
  if (Array.isArray(place)) return place.splice(Number(last), 1).length > 0;
  return Object.hasOwn(place, last) && Reflect.deleteProperty(place, last);
}

/** The record without what means the same if it is left out. */
function essence(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(essence);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([name, each]) =>
      USUAL[name] !== each &&
      !(name === 'moment' && each === 'passing') &&
      !(name === 'actions' && String(each) === '') &&
      !(name === 'adjustDeals' && String(each) === 'DEAL_TYPE_BALANCE'),
  );
  return Object.fromEntries(kept.map(([name, each]) => [name, essence(each)]));
}

const TRIED_RULES = 200;
const TRIED_PROGRAMS = 120;

it('a rule is saved as opened, including parts that the form does not show', () => {
  const { rule } = saveRuleTemplateOperation.body.properties;
  let saved = 0;
  fc.assert(
    fc.property(recordOf(rule as Schema), (given) => {
      const drawn = { ...(given as NewTracker), name: 'Kept' };
      const opened = lawful(drawn, (one) => checkTracker({ ...one, id: 'x', adjustDeals: [] }));
      const form = opened && formOf({ ...opened, ...UNKNOWN });
      if (!opened || !form || obstacleOf(form, 'USD') !== undefined) return;
      saved += 1;
      assert.deepEqual(essence(toNewTracker(form, 'USD')), essence({ ...opened, ...UNKNOWN }));
    }),
    { numRuns: TRIED_RULES },
  );
  assert.ok(saved > TRIED_RULES / 2, `only ${saved} could be saved`);
});

it('a program is saved as opened, including parts that the form does not show', () => {
  let saved = 0;
  fc.assert(
    fc.property(recordOf(createProgramOperation.body as Schema), (given) => {
      const opened = lawful(given as NewProgram, programFaults);
      if (!opened) return;
      const marked = {
        ...opened,
        phases: opened.phases.map((phase) => ({
          ...{ ...phase, ...UNKNOWN },
          rules: phase.rules.map((each) => ({ ...each, ...UNKNOWN })),
          objectives: phase.objectives.map((each) => ({ ...each, ...UNKNOWN })),
        })),
      };
      const form = formOfProgram(marked);
      if (obstacleOfProgram(form) !== undefined) return;
      saved += 1;
      assert.deepEqual(essence(toProgram(form)), essence(marked));
    }),
    { numRuns: TRIED_PROGRAMS },
  );
  assert.ok(saved > TRIED_PROGRAMS / 12, `only ${saved} could be saved`);
});

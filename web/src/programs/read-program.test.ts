import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import type { NewProgram } from '../../../src/contract/operations/programs.ts';
import {
  addPhase,
  changePhase,
  formOf,
  newLine,
  type ProgramForm,
  removePhase,
  START,
} from './program-form.ts';
import { ruleWords } from './program-words.ts';
import { obstacleOf, toProgram } from './read-program.ts';

const DOCS = new URL('../../../docs/programs.md', import.meta.url);

describe('the form of a program', () => {
  it('keeps every published rule book unchanged', async () => {
    const text = await readFile(DOCS, 'utf8');
    const books = [...text.matchAll(/```json\n([\s\S]*?)```/g)].map(
      ([, json = '']) => JSON.parse(json) as NewProgram,
    );
    assert.ok(books.length > 3);
    for (const book of books) {
      const form = formOf(book);
      assert.equal(obstacleOf(form), undefined, book.name);
      assert.deepEqual(toProgram(form), book);
    }
  });

  it('keeps all parts missing in published rule books', () => {
    const book: NewProgram = {
      name: 'All of it',
      phases: [
        {
          name: 'Funded',
          resetClock: { zone: 'Europe/Prague', time: '17:00' },
          adjustDeals: ['DEAL_TYPE_BALANCE', 'DEAL_TYPE_CREDIT'],
          rules: [
            {
              ...{ kind: 'dailyLoss', amount: 1_234.5, from: 'peakEquity', warnAt: 0.8 },
              ...{ onBreach: 'record', inclusive: true },
              actions: [
                { action: 'disableTrading' },
                { action: 'moveToGroup', group: 'lost', dryRun: true },
              ],
            },
            {
              ...{ kind: 'maximumLoss', share: 0.07125, trails: 'equity', shareOf: 'peak' },
              lockAbove: 100.25,
            },
            { kind: 'timeLimit', days: 30, actions: [{ action: 'closePositions' }] },
          ],
          objectives: [
            { kind: 'profitTarget', amount: 5_000, by: 'lowerOfBoth' },
            { kind: 'tradingDays', days: 1, count: 'traded' },
            { kind: 'consistency', share: 0.3, of: 'winningDays', inclusive: true },
          ],
        },
      ],
    };
    assert.deepEqual(toProgram(formOf(book)), book);
  });

  it('keeps rules over deals, says what they lack, and puts them in words', () => {
    const rules: NewProgram['phases'][0]['rules'] = [
      { kind: 'allowedSymbols', only: ['EUR*', 'XAUUSD'], excluded: ['EURGBP'] },
      { kind: 'openAtOnce', positions: 2, per: 'symbol', onBreach: 'record', failsAt: 3 },
      { kind: 'openAtOnce', lots: 0.5, actions: [{ action: 'disableTrading' }] },
      { kind: 'closedHours', starts: '22:00', ends: '23:00', forbids: 'opening' },
      { kind: 'openLoss', share: 0.02, inclusive: true, onBreach: 'record' },
      { kind: 'openLoss', amount: 500, warnAt: 0.8 },
    ];
    const book: NewProgram = { name: 'Deals', phases: [{ name: 'P', rules, objectives: [] }] };
    const form = formOf(book);
    assert.deepEqual(toProgram(form), book);
    const [phase] = form.phases;
    if (!phase) throw new Error('a phase');
    const lacks = (line: Partial<ReturnType<typeof newLine>>) =>
      obstacleOf({
        ...form,
        phases: [{ ...phase, rules: [{ ...newLine(line.kind ?? 'hedging'), ...line }] }],
      });
    assert.equal(lacks({ kind: 'hedging' }), undefined);
    assert.match(lacks({ kind: 'allowedSymbols' }) ?? '', /Name the symbols/);
    assert.match(lacks({ kind: 'openAtOnce' }) ?? '', /Say how much/);
    assert.match(lacks({ kind: 'openLoss', size: '' }) ?? '', /Say how much/);
    assert.match(lacks({ kind: 'openLoss', warnPercent: 'most' }) ?? '', /number/);
    assert.match(lacks({ kind: 'closedHours', ends: '22:00' }) ?? '', /in both, or in neither/);
    assert.match(lacks({ kind: 'closedHours', starts: 'noon' }) ?? '', /Write times as FRI 22:00/);
    assert.deepEqual(
      rules.map((rule) => ruleWords(rule)),
      [
        'Positions are opened in EUR*, XAUUSD only. No position is opened in EURGBP.',
        'No more than 2 positions may be open at a time in each symbol. A breach is recorded; breach number 3 ends the phase.',
        'No more than 0.5 lots may be open at a time in the account. When it is broken: disable trading.',
        'No position may be opened from 22:00 to 23:00.',
        'No position may lose 2 % of the initial balance or more, by profit and swap. Seen by what closes realise: unknown while it is open. A breach is recorded and ends nothing.',
        'No position may lose more than 500, by profit and swap. Seen by what closes realise: unknown while it is open. Warns when 80 % is used.',
      ],
    );
  });

  it('keeps the actions of a phase that is passed', () => {
    const book: NewProgram = {
      name: 'Passing',
      phases: [
        {
          ...{ name: 'Step', rules: [], objectives: [{ kind: 'profitTarget', share: 0.1 }] },
          actions: [{ action: 'disableTrading', moment: 'passing', confirm: 'none' }],
        },
      ],
    };
    assert.deepEqual(toProgram(formOf(book)), book);
  });

  it('says what is missing, and where', () => {
    const [first] = START.phases;
    if (!first) throw new Error('a program begins with a phase');
    const named: ProgramForm = { ...START, name: 'Two steps' };
    assert.equal(obstacleOf(START), 'Give the program a name.');
    assert.equal(obstacleOf(named), undefined);
    assert.equal(obstacleOf(addPhase(named)), 'Phase 2: Give it a name.');
    const line = { ...newLine('dailyLoss'), size: '' };
    assert.equal(
      obstacleOf({ ...named, phases: [{ ...first, rules: [line] }] }),
      'Phase 1, daily loss: Say how much.',
    );
    const zone = { ...first, resetZone: 'Europe/Prague' };
    assert.match(obstacleOf({ ...named, phases: [zone] }) ?? '', /^Phase 1: Say at what time/);
  });

  it('is described in words that say whether reaching a limit is enough', () => {
    const rule = { kind: 'maximumLoss', share: 0.1 } as const;
    assert.equal(
      ruleWords(rule),
      'The equity must not fall more than 10 % of the initial balance below the initial balance.',
    );
    assert.equal(
      ruleWords({ ...rule, inclusive: true, trails: 'endOfDayBalance', lockAbove: 0 }),
      'The equity must not fall 10 % of the initial balance or more below the highest balance at the end of a day. The floor rises no higher than the initial balance.',
    );
  });

  it('gets a phase like the last, which is changed and removed separately', () => {
    const named: ProgramForm = { ...START, name: 'Two steps' };
    const two = addPhase(named);
    const [first, second] = two.phases;
    if (!first || !second) throw new Error('two phases');
    assert.deepEqual(toProgram(two).phases[1]?.rules, toProgram(named).phases[0]?.rules);
    const renamed = changePhase(two, second.key, { name: 'Verification' });
    assert.deepEqual(
      renamed.phases.map(({ name }) => name),
      [first.name, 'Verification'],
    );
    assert.deepEqual(removePhase(renamed, first.key).phases, [renamed.phases[1]]);
  });
});

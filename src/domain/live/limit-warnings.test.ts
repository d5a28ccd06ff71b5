import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LiveDesk, usd } from '../../../test/simulation/live-desk.ts';
import { checkTracker } from './check-tracker.ts';
import { kindOf } from './live-records.ts';

const WARNED = { relativeDrawdownThreshold: 0.05, warnAt: 0.8 };
const kindsOf = ({ events }: LiveDesk): string[] => events.map(kindOf);

test('a drawdown that reaches its share of the limit warns, once per period', () => {
  const desk = new LiveDesk([WARNED]);
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  desk.see('2026-03-02 10:01', 10_000, 9600.01);
  assert.deepEqual(kindsOf(desk), []);
  desk.see('2026-03-02 10:02', 10_000, 9600);
  assert.deepEqual(kindsOf(desk), ['warning']);
  assert.equal(desk.events[0]?.warnAt, 0.8);
  assert.equal(desk.events[0]?.absoluteDrawdown, usd(400));
  assert.equal(desk.events[0]?.allowed, usd(500));
  desk.see('2026-03-02 10:03', 10_000, 9990);
  desk.see('2026-03-02 10:04', 10_000, 9510);
  assert.deepEqual(kindsOf(desk), ['warning']);
  desk.see('2026-03-02 10:05', 10_000, 9499.99);
  assert.deepEqual(kindsOf(desk), ['warning', 'drawdown']);
  desk.see('2026-03-03 10:00', 10_000, 9600);
  desk.see('2026-03-03 10:01', 10_000, 9599.99);
  assert.deepEqual(kindsOf(desk), ['warning', 'drawdown', 'warning']);
});

test('a breach of the limit is not preceded by a warning', () => {
  const desk = new LiveDesk([WARNED]);
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  desk.see('2026-03-02 10:01', 10_000, 9000);
  assert.deepEqual(kindsOf(desk), ['drawdown']);
});

test('a peak that rises moves the warning with its limit', () => {
  const trailing = { baseline: 'peakEquity', period: 'lifetime' } as const;
  const desk = new LiveDesk([{ ...WARNED, ...trailing }]);
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  desk.see('2026-03-02 10:01', 10_000, 20_000);
  desk.see('2026-03-02 10:02', 10_000, 19_200.01);
  assert.deepEqual(kindsOf(desk), []);
  desk.see('2026-03-02 10:03', 10_000, 19_200);
  assert.deepEqual(kindsOf(desk), ['warning']);
});

test('a warning is a fraction of a drawdown limit, and actions at it need one', () => {
  const faultsOf = (parts: object): string[] =>
    checkTracker({ id: 't', name: 't', period: 'date', ...parts }).map(
      ({ parameter }) => parameter,
    );
  assert.deepEqual(faultsOf(WARNED), []);
  assert.deepEqual(faultsOf({ ...WARNED, warnAt: 1 }), ['warnAt']);
  assert.deepEqual(faultsOf({ relativeProfitThreshold: 0.1, warnAt: 0.5 }), ['warnAt']);
  const act = (action: string, moment?: string): string[] =>
    faultsOf({ relativeDrawdownThreshold: 0.05, actions: [{ action, moment }] });
  assert.deepEqual(act('closePositions', 'warning'), ['actions.0.moment']);
  assert.deepEqual(act('closePositions', 'revision'), []);
  assert.deepEqual(act('enableTrading', 'revision'), []);
  for (const moment of [undefined, 'breach'])
    assert.deepEqual(act('enableTrading', moment), ['actions.0.moment']);
  const actions = [{ action: 'closePositions', moment: 'warning' }];
  assert.deepEqual(faultsOf({ ...WARNED, actions }), []);
});

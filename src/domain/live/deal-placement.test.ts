import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dealOf, LiveDesk } from '../../../test/simulation/live-desk.ts';

test('whichever ids the deals of a second have, the balance says which of them it includes', () => {
  for (const [first, second] of [
    ['9', '10'],
    ['deal-9', 'deal-10'],
  ]) {
    const desk = new LiveDesk([{ absoluteDrawdownThreshold: 500 }]);
    desk.see('2026-03-02 10:00:00.000', 10_000, 10_000);
    desk.see('2026-03-02 10:00:05.500', 9900, 10_000);
    desk.see('2026-03-02 10:00:06.500', 7900, 8000);
    // Both are booked in whole seconds: the loss before the reading at 5.500, the payout after it.
    desk.book(
      { ...dealOf('DEAL_TYPE_SELL', '2026-03-02 10:00:05', -100), id: String(first) },
      { ...dealOf('DEAL_TYPE_BALANCE', '2026-03-02 10:00:05', -2000), id: String(second) },
    );
    assert.equal(desk.account.window?.movements.length, 0, `${first}, ${second}`);
  }
});

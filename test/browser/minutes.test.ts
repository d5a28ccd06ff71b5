import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { needs } from '../needs.ts';
import { newUser } from '../servers/plimsoll-process.ts';
import { accessibilityFaults } from './accessibility.ts';
import { addDeals, brokerTime, push, type Snapshot, watchedAccount } from './accounts-of-tests.ts';
import { startDashboard } from './dashboard.ts';

needs('browser', 'dashboard', 'server');

const DAY_MINUTES = 24 * 60;
const PHONE = { hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } };

/** Four days by minutes with a gap of 40 minutes; five hours ago the loss limit breaks. */
const snapshots = (): Snapshot[] =>
  Array.from({ length: 4 * DAY_MINUTES }, (_, place) => place - 4 * DAY_MINUTES)
    .filter((minutes) => minutes < -200 || minutes >= -160)
    .map((minutes) => {
      const equity = 10_000 + 120 * Math.sin(minutes / 90) + 35 * Math.sin(minutes / 7);
      return { minutes, equity: minutes >= -310 && minutes < -300 ? 8_900 : equity };
    });

describe('the chart of today', () => {
  it('is of minutes, with hours before them, marks and floors, on any screen', async (test) => {
    const dashboard = await startDashboard();
    test.after(() => dashboard.close());
    const user = await newUser(dashboard.address);
    const id = await watchedAccount(user, 'By minutes');
    const all = snapshots();
    for (let from = 0; from < all.length; from += 1000) {
      await push(user, id, ...all.slice(from, from + 1000));
    }
    const deal = { positionId: '7', symbol: 'EURUSD', volume: 1, price: 1.1 };
    await addDeals(user, id, [
      {
        ...deal,
        id: '1',
        type: 'DEAL_TYPE_BUY',
        entry: 'DEAL_ENTRY_IN',
        brokerTime: brokerTime(-400),
        profit: 0,
      },
      {
        ...deal,
        id: '2',
        type: 'DEAL_TYPE_SELL',
        entry: 'DEAL_ENTRY_OUT',
        brokerTime: brokerTime(-100),
        profit: 25,
      },
    ]);
    for (const browser of [{}, PHONE]) {
      const at = `#/accounts/${id}?range=day`;
      const page = await dashboard.open(test, { token: user.token, at, browser });
      const chart = page.getByRole('figure', { name: /^Chart of equity/ });
      // 48 hours of minutes without the gap, and two days of hours before.
      await page.getByRole('figure', { name: /, 28\d\d points up to .*; 2 marks/ }).waitFor();
      await chart.focus();
      await page.keyboard.press('ArrowLeft');
      const time = page.locator('.chart-time');
      const before = await time.textContent();
      await page.keyboard.press('ArrowLeft');
      assert.notEqual(await time.textContent(), before);
      assert.match(before ?? '', /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d /, 'a minute, not an hour');
      await page.getByText(/^Floor of Limit/).waitFor();
      await page.getByRole('radio', { name: '48 h' }).check({ force: true });
      await page.waitForURL(/range=two-days/);
      const choice = page.getByRole('group', { name: 'Range of the chart' });
      const { height = 0 } = (await choice.boundingBox()) ?? {};
      assert.ok(height < 40, `the ranges take ${height} px: more than one line`);
      assert.deepEqual(await accessibilityFaults(page), []);
      await page.getByRole('radio', { name: 'Week', exact: true }).check({ force: true });
      await page.getByRole('figure', { name: /, 9\d points up to / }).waitFor();
    }
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { needs } from '../needs.ts';
import { type Client, newAccount, newUser } from '../servers/plimsoll-process.ts';
import { type Dashboard, startDashboard } from './dashboard.ts';

needs('browser', 'dashboard', 'server');

type Tracker = {
  name: string;
  relativeDrawdownThreshold?: number;
  absoluteDrawdownThreshold?: number;
  resetClock?: { zone: string; time: string };
};

const trackersOf = async (user: Client, accountId: string): Promise<Tracker[]> =>
  (await user.get<Tracker[]>(`/users/current/accounts/${accountId}/trackers`)).body;

describe('typed numbers', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await startDashboard();
  });
  after(() => dashboard.close());

  const openForm = async (test: Parameters<Dashboard['open']>[0], locale = 'en-GB') => {
    const user = await newUser(dashboard.address);
    const id = await newAccount(user, { name: 'Typed' });
    const page = await dashboard.open(test, {
      ...{ token: user.token, at: `#/accounts/${id}?tab=trackers`, browser: { locale } },
    });
    await page.getByRole('button', { name: 'New tracker' }).first().click();
    return { user, id, page, dialog: page.getByRole('dialog') };
  };

  it('become the intended limit, shown in words before it is saved', async (test) => {
    const { user, id, dialog } = await openForm(test);
    await dialog.getByLabel('Largest loss, %').fill('');
    await dialog.getByLabel('Largest loss, USD').fill('1,000');
    await dialog.getByText('Read as 1,000.00 USD').waitFor();
    await dialog.getByText(/loses more than 1,000\.00 USD against/).waitFor();
    await dialog.getByLabel('Profit target, %').fill('7.5%');
    await dialog.getByText('Read as 7.5 %').waitFor();
    assert.equal(
      await dialog.getByLabel('Name').inputValue(),
      'Daily loss 1,000.00 USD, profit target 7.5 %',
    );
    await dialog.getByRole('button', { name: 'Create tracker' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const [tracker] = await trackersOf(user, id);
    assert.equal(tracker?.absoluteDrawdownThreshold, 1000);
    assert.equal(tracker?.relativeDrawdownThreshold, undefined);
  });

  it('are read in their language', async (test) => {
    const { user, id, dialog } = await openForm(test, 'de-DE');
    await dialog.getByLabel('Largest loss, %').fill('2,5');
    await dialog.getByText('Read as 2,5 %').waitFor();
    await dialog.getByLabel('Largest loss, USD').fill('1.000');
    await dialog.getByText('Read as 1.000,00 USD').waitFor();
    await dialog.getByRole('button', { name: 'Create tracker' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const [tracker] = await trackersOf(user, id);
    assert.equal(tracker?.absoluteDrawdownThreshold, 1000);
    assert.equal(tracker?.relativeDrawdownThreshold, 0.025);
  });

  it('are refused at their field if unreadable, and nothing is saved', async (test) => {
    const { user, id, dialog } = await openForm(test);
    const field = dialog.getByLabel('Largest loss, USD');
    await dialog.getByLabel('Largest loss, %').fill('');
    for (const text of ['5k', '€500', '5 %', '10,00', '1,2,3', 'five']) {
      await field.fill(text);
      if (text === '10,00') {
        await dialog.getByText('Read as 10.00 USD').waitFor();
        continue;
      }
      await dialog.getByText(`“${text}” is not a number that can be read.`).waitFor();
      assert.equal(await field.getAttribute('aria-invalid'), 'true');
      await dialog.getByRole('button', { name: 'Create tracker' }).click();
      await dialog.getByRole('alert').filter({ hasText: 'can’t be read' }).waitFor();
    }
    assert.deepEqual(await trackersOf(user, id), []);
  });

  it('are required for a tracker, unless it only measures', async (test) => {
    const { user, id, dialog } = await openForm(test);
    await dialog.getByLabel('Largest loss, %').fill('');
    await dialog.getByRole('button', { name: 'Create tracker' }).click();
    await dialog.getByRole('alert').filter({ hasText: 'Set a largest loss' }).waitFor();
    assert.deepEqual(await trackersOf(user, id), []);
    await dialog.getByLabel(/^Statistics only/).check();
    await dialog.getByRole('button', { name: 'Create tracker' }).click();
    await dialog.waitFor({ state: 'hidden' });
    assert.deepEqual(
      (await trackersOf(user, id)).map(({ name }) => name),
      ['Daily statistics'],
    );
  });

  it('of a clock are complete: a time without its zone is reported, not dropped', async (test) => {
    const { user, id, dialog } = await openForm(test);
    await dialog.getByText('Start, end and end of day').click();
    await dialog.getByLabel('Days end at').fill('22:00');
    await dialog.getByRole('button', { name: 'Create tracker' }).click();
    await dialog.getByRole('alert').filter({ hasText: 'Say in which zone' }).waitFor();
    await dialog.getByLabel('In the zone').fill('Europe/Prague');
    await dialog.getByRole('button', { name: 'Create tracker' }).click();
    await dialog.waitFor({ state: 'hidden' });
    assert.deepEqual((await trackersOf(user, id))[0]?.resetClock, {
      ...{ zone: 'Europe/Prague', time: '22:00' },
    });
  });

  it('of lots are those used for margin', async (test) => {
    const user = await newUser(dashboard.address);
    await newAccount(user, { name: 'Margin' });
    const page = await dashboard.open(test, { token: user.token, at: '#/margin' });
    await page.getByLabel('Symbol').fill('EURUSD');
    await page.getByLabel('Price').fill('1.1');
    await page.getByLabel('Volume').fill('1,000');
    await page.getByText('Read as 1,000 lots').waitFor();
    const asked = page.waitForRequest(/calculate-margin/);
    await page.getByRole('button', { name: 'Calculate margin' }).click();
    assert.equal((await asked).postDataJSON().volume, 1000);
    // The answer sends the cursor to the symbol: what is typed before then may land there.
    await page.getByText('This is not a symbol of the account.').waitFor();
    await page.getByLabel('Volume').fill('1,0000');
    await page.getByText('“1,0000” is not a number that can be read.').waitFor();
  });
});

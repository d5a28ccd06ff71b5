import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { needs } from '../needs.ts';
import { type Dashboard, startDashboard } from './dashboard.ts';

needs('browser', 'dashboard', 'server');

describe('the reference', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await startDashboard();
  });
  after(() => dashboard.close());

  it('shows the parts with all searched words, and the links to them', async (test) => {
    const page = await dashboard.open(test);
    await page.goto(`${dashboard.address}/docs`);
    const shown = page.locator('main section:visible');
    const all = await shown.count();
    await page.getByRole('searchbox', { name: 'Search' }).fill('Rename tracker');
    const few = await shown.count();
    assert.ok(few > 0 && few < all / 4, `${few} of ${all}`);
    await page.getByRole('heading', { name: 'Rename a tracker' }).waitFor();
    assert.equal(await page.locator('nav li:visible').filter({ hasText: 'margin' }).count(), 0);
    await page.getByRole('searchbox').fill('');
    assert.equal(await shown.count(), all);
  });
});

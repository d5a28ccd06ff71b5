import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { Client } from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';
import { push, watchedAccount } from './accounts-of-tests.ts';

export const PATH = '/users/current/incidents';
type Incident = { id: number; accountName: string; acknowledged: boolean; assignee?: string };

/** Opens the line of an incident. */
export const openDetails = (item: Locator): Promise<void> =>
  item.getByRole('button', { name: /^Details of incident/, expanded: false }).click();

export const all = async (user: Client): Promise<Incident[]> =>
  (await user.get<{ incidents: Incident[] }>(`${PATH}?state=all&limit=200`)).body.incidents;

/** Accounts that break a limit, one after another. */
export async function fall(user: Client, ...names: readonly string[]): Promise<void> {
  const before = (await all(user)).length;
  for (const name of names) {
    const id = await watchedAccount(user, name);
    await push(user, id, { minutes: -2, equity: 10_000 }, { minutes: -1, equity: 8500 });
  }
  await until(async () => (await all(user)).length === before + names.length, 'the incidents');
}

export async function handle(
  user: Client,
  id: number | undefined,
  handling: object,
): Promise<void> {
  const answer = await user.call('PATCH', PATH, { ids: [id], ...handling });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
}

export const itemOf = (page: Page, account: string): Locator =>
  page.locator('.incident').filter({ hasText: `Limit of ${account}` });

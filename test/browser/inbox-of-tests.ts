import type { Locator } from 'playwright-core';

/** Opens the line of an incident. */
export const openDetails = (item: Locator): Promise<void> =>
  item.getByRole('button', { name: /^Details of incident/, expanded: false }).click();

import type { Page } from 'playwright-core';

const WITHIN_MS = 60_000;

/**
 * Does something that the page answers with words visible for only some seconds. The page looks out
 * for them itself: on a busy machine the test may look too late.
 */
export async function untilTold(
  page: Page,
  words: string,
  act: () => Promise<unknown>,
): Promise<void> {
  const told = page.evaluate(`new Promise((told, failed) => {
    const look = () => document.body.textContent.includes(${JSON.stringify(words)}) && told();
    const all = { subtree: true, childList: true, characterData: true };
    new MutationObserver(look).observe(document.body, all);
    setTimeout(() => failed(new Error(${JSON.stringify(`“${words}” was not told`)})), ${WITHIN_MS});
  })`);
  await Promise.all([told, act()]);
}

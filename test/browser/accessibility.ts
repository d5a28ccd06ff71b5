import axe from 'axe-core';
import type { Page } from 'playwright-core';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice'];

/** Faults found by axe on the current page, one line per element. */
export const accessibilityFaults = (page: Page): Promise<string[]> =>
  faults(page, { runOnly: RULES, resultTypes: ['violations'] });

/** Only those decided by colours. */
export const contrastFaults = (page: Page): Promise<string[]> =>
  faults(page, { runOnly: { type: 'rule', values: ['color-contrast'] } });

async function faults(page: Page, options: axe.RunOptions): Promise<string[]> {
  const isThere = await page.evaluate<boolean>('"axe" in window');
  if (!isThere) await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(${JSON.stringify(options)})`);
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html}: ${failureSummary}`),
  );
}

/** CSS pixels by which the page is wider than its window, and what sticks out. */
export async function overflow(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > clientWidth + 1)
      .map((element) => element.tagName + '.' + element.className)
      .slice(0, 20);
  })()`);
}

/** Buttons that can be seen, but those that are words of a table or a list. */
export async function buttons(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('.button, [type=file]')]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }))
    .map((element) => element.outerHTML.slice(0, 120))`);
}

/** What can only be seen by scrolling sideways, as paper cannot. */
export async function hiddenAside(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('main *')]
    .filter((element) => element.scrollWidth > element.clientWidth + 1)
    .filter((element) => ['auto', 'scroll'].includes(getComputedStyle(element).overflowX))
    .map((element) => element.tagName + '.' + element.className)`);
}

/** Cells of lists that stick out of their rows, or lie under the next one. */
export async function spilled(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const rows = [...document.querySelectorAll('.vt-rows .vt-row')];
    return rows.flatMap((row) => {
      const box = row.getBoundingClientRect();
      return [...row.querySelectorAll('[role=cell]')]
        .map((cell) => [cell, cell.getBoundingClientRect()])
        .filter(([, { right, bottom }]) => right > box.right + 1 || bottom > box.bottom + 1)
        .map(([cell]) => cell.className + ': ' + cell.textContent);
    });
  })()`);
}

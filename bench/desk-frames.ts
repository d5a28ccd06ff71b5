/**
 * npx node bench/desk-frames.ts [--accounts 500] [--seconds 12] [--slowdown 1]
 *
 * How long frames take in the dashboard while a firm's accounts fall through their limits by the
 * hundred: each page watched, scrolled and worked on with its keys. Frames also wait where the
 * machine is busy, so the load average stands beside them. Tests never assert times;
 * `docs/performance.md` has what was seen.
 */
import { loadavg } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { launchChromium } from '../test/browser/chromium.ts';
import { letFall, openFirm } from './browser/bad-market.ts';
import { takeFrames, watchFrames } from './browser/frame-watch.ts';
import { describeMachine } from './machine.ts';
import { percentile } from './measure.ts';
import { serve, UNBOUNDED } from './servers/plimsoll.ts';

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '12' },
    slowdown: { type: 'string', default: '1' },
  },
});
const seconds = Number(values.seconds);
const slowdown = Number(values.slowdown);
const VIEWPORT = { width: 1440, height: 900 };
const SETTLING_MS = 3000;

type Scene = { name: string; at: string; act: (page: Page) => Promise<void> };

const scroll =
  (selector: string) =>
  async (page: Page): Promise<void> => {
    const box = await page.locator(selector).first().boundingBox();
    if (!box) throw new Error(`there is no ${selector}`);
    await page.mouse.move(box.x + box.width / 2, Math.min(box.y + 200, VIEWPORT.height - 20));
    for (let step = 0; step < seconds * 10; step += 1) {
      await page.mouse.wheel(0, step % 40 < 20 ? 300 : -300);
      await setTimeout(100);
    }
  };

const watch = (): Promise<void> => setTimeout(seconds * 1000);

async function workWithKeys(page: Page): Promise<void> {
  for (let step = 0; step < seconds * 2; step += 1) {
    for (const key of ['j', 'j', 'k', 'a']) {
      await page.keyboard.press(key);
      await setTimeout(125);
    }
  }
}

async function workThroughAll(page: Page): Promise<void> {
  for (let pages = 0; pages < 3; pages += 1) {
    // By role it would be looked for in every incident, for longer than a frame.
    await page.evaluate("document.querySelector('.inbox-more button')?.click()");
    await setTimeout(1000 * slowdown);
  }
  await workWithKeys(page);
}

async function readChart(page: Page): Promise<void> {
  const box = await page.locator('figure.chart').boundingBox();
  if (!box) throw new Error('there is no chart');
  for (let step = 0; step < seconds * 20; step += 1) {
    const share = (step % 100) / 100;
    await page.mouse.move(box.x + box.width * (0.1 + 0.85 * share), box.y + 100);
    await setTimeout(50);
  }
}

const scenes = (first: string): Scene[] => [
  { name: 'risk desk, watched', at: '#/risk', act: watch },
  { name: 'risk desk, accounts scrolled', at: '#/risk', act: scroll('.room-table') },
  { name: 'risk desk, J J K A', at: '#/risk', act: workWithKeys },
  { name: 'accounts, watched', at: '#/accounts', act: watch },
  { name: 'accounts, scrolled', at: '#/accounts', act: scroll('.accounts-table') },
  { name: 'an account, watched', at: `#/accounts/${first}`, act: watch },
  { name: 'an account, chart read by mouse', at: `#/accounts/${first}`, act: readChart },
  { name: 'all incidents, scrolled', at: '#/risk?state=all', act: scroll('.inbox') },
  { name: 'all incidents, 650 listed, J J K A', at: '#/risk?state=all', act: workThroughAll },
];

console.error(describeMachine());
await using stack = new AsyncDisposableStack();
const { address } = await serve(stack, 'sqlite', async () => {}, { PLIMSOLL_QUOTAS: UNBOUNDED });
const firm = await openFirm(address, Number(values.accounts));
const browser = await launchChromium();
stack.defer(() => browser.close());
const page = await (await browser.newContext({ viewport: VIEWPORT })).newPage();
await watchFrames(page);
const devtools = await page.context().newCDPSession(page);
await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
await page.goto(`${address}/#token=${firm.client.token}`);
await letFall(stack, firm);
console.log(`| page, processor ${slowdown} × slower | frames | p99 | worst | load |`);
console.log('|---|---|---|---|---|');
for (const { name, at, act } of scenes(firm.accountIds[0] ?? '')) {
  await page.goto(`${address}/${at}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await setTimeout(SETTLING_MS * slowdown);
  await takeFrames(page);
  await act(page);
  const { gaps, long } = await takeFrames(page);
  const figures = [percentile(gaps, 0.99), Math.max(...gaps)].map((ms) => `${Math.round(ms)} ms`);
  const listed = await page.locator('.incident').count();
  if (listed > 0) console.error(`${name}: ${listed} incidents are listed`);
  const load = loadavg()[0]?.toFixed(1);
  console.log(`| ${name} | ${gaps.length} | ${figures.join(' | ')} | ${load} |`);
  const longest = long.sort((a, b) => b.ms - a.ms).slice(0, 4);
  for (const { ms, script } of longest) console.error(`  ${Math.round(ms)} ms: ${script}`);
}

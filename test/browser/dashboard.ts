import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { startOn, type TestServer } from '../servers/plimsoll-process.ts';
import { launchChromium } from './chromium.ts';
import { Witness } from './witness.ts';

/** How long to wait for something on a page, also on a busy machine. */
const TIMEOUT_MS = 60_000;

export type Visit = {
  /** Signs in by the link that commands print; without it no one is signed in. */
  token?: string | undefined;
  /** Page of the dashboard, such as `#/quotas`; default: the first one. */
  at?: string;
  /** Messages on the console that the test is about. */
  expect?: RegExp;
  browser?: BrowserContextOptions;
  /** What tells of something done stays, so that it can be undone after more than ten seconds. */
  keepsMessages?: boolean;
};

/** Nothing but these messages waits this long for something that is done once. */
const KEEP_MESSAGES = `{
  const { setTimeout: wait } = globalThis;
  globalThis.setTimeout = (act, ms, ...of) => (ms === 10_000 ? 0 : wait(act, ms, ...of));
}`;

export type Dashboard = {
  address: string;
  server: TestServer;
  /** A page in a browser context of its own, closed at the end of the test. */
  open(test: TestContext, visit?: Visit): Promise<Page>;
  close(): Promise<void>;
};

/** A server and a browser; users share neither storage nor cookies. */
export async function startDashboard(environment: Record<string, string> = {}): Promise<Dashboard> {
  const server = await startOn('sqlite', environment);
  const browser = await launchChromium().catch(async (error: unknown) => {
    await server.close();
    throw error;
  });
  const { address } = server.server;
  return {
    address,
    server,
    open: (test, visit = {}) => openPage(browser, address, test, visit),
    close: async () => {
      await browser.close();
      await server.close();
    },
  };
}

async function openPage(
  browser: Browser,
  address: string,
  test: TestContext,
  { token, at, expect, browser: options = {}, keepsMessages = false }: Visit,
): Promise<Page> {
  const context = await browser.newContext({
    baseURL: address,
    locale: 'en-GB',
    timezoneId: 'Asia/Kathmandu',
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(TIMEOUT_MS);
  if (keepsMessages) await context.addInitScript(KEEP_MESSAGES);
  const page = await context.newPage();
  const witness = new Witness(page, address, token, expect);
  test.after(async () => {
    if (!test.passed) await report(test, context);
    await context.close();
    if (test.passed) witness.check();
  });
  await page.goto(token === undefined ? '/' : `/#token=${token}`);
  if (at !== undefined) await page.goto(`/${at}`);
  return page;
}

/** Useful to see of a failed test. */
async function report(test: TestContext, context: BrowserContext): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'plimsoll-browser-'));
  for (const [index, page] of context.pages().entries()) {
    const path = join(folder, `${index}.png`);
    await page.screenshot({ path });
    test.diagnostic(
      `${page.url()} looked like ${path} and read:\n${await page.locator('body').ariaSnapshot()}`,
    );
  }
}

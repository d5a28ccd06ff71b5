import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../test/browser/chromium.ts';

/** Makes the pictures of docs/screenshots from the demo: `npx node scripts/screenshots.ts`. */

const BIN = fileURLToPath(new URL('../bin/plimsoll.js', import.meta.url));
const FOLDER = fileURLToPath(new URL('../docs/screenshots/', import.meta.url));
const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 360, height: 740 };
const LIVE_ACCOUNT = 'demo-live-reckless';

type Picture = {
  name: string;
  at: string;
  heading: string | RegExp;
  colours: 'light' | 'dark';
  size?: { width: number; height: number };
  prepare?: (page: Page) => Promise<void>;
};

const PICTURES: Picture[] = [
  { name: 'accounts', at: '#/accounts', heading: 'Accounts', colours: 'light' },
  { name: 'account', at: `#/accounts/${LIVE_ACCOUNT}`, heading: /Live/, colours: 'light' },
  { name: 'account-dark', at: `#/accounts/${LIVE_ACCOUNT}`, heading: /Live/, colours: 'dark' },
  {
    name: 'trackers',
    at: `#/accounts/${LIVE_ACCOUNT}?tab=trackers`,
    heading: /Live/,
    colours: 'light',
  },
  {
    name: 'compare',
    at: `#/compare?accounts=${LIVE_ACCOUNT},demo-live-steady`,
    heading: 'Compare accounts',
    colours: 'light',
  },
  {
    name: 'program',
    at: '#/programs',
    heading: 'Programs',
    colours: 'light',
    prepare: async (page) => {
      await page.getByRole('link', { name: 'Demo, two steps' }).click();
      await page.getByText('to the daily loss').first().waitFor();
    },
  },
  {
    name: 'enrolment',
    at: '#/accounts/demo-push-near?tab=enrolments',
    heading: /Near its limit|About to break/,
    colours: 'light',
    prepare: (page) => page.getByText('Profit target').first().waitFor(),
  },
  { name: 'risk', at: '#/risk', heading: 'Risk desk', colours: 'dark' },
  { name: 'incident', at: '#/incidents/1', heading: 'Incident 1', colours: 'light' },
  { name: 'integrations', at: '#/integrations', heading: 'Integrations', colours: 'light' },
  {
    name: 'margin',
    at: `#/margin?account=${LIVE_ACCOUNT}`,
    heading: 'Margin calculator',
    colours: 'light',
    prepare: async (page) => {
      await page.getByLabel('Symbol').fill('EURUSD');
      await page.getByLabel('Volume').fill('0.5');
      await page.getByLabel('Price').fill('1.1');
      await page.getByRole('button', { name: 'Calculate margin' }).click();
      await page.getByText('For this order alone').waitFor();
    },
  },
  { name: 'provisioning', at: '#/provisioning', heading: 'Provisioning', colours: 'light' },
  { name: 'quotas', at: '#/quotas', heading: 'Quotas', colours: 'light' },
  { name: 'operator', at: '#/operator?tab=audit', heading: 'Operator', colours: 'dark' },
  {
    name: 'phone',
    at: `#/accounts/${LIVE_ACCOUNT}`,
    heading: /Live/,
    colours: 'dark',
    size: PHONE,
  },
];

async function take(browser: Browser, link: string, picture: Picture): Promise<void> {
  const context = await browser.newContext({
    viewport: picture.size ?? DESKTOP,
    colorScheme: picture.colours,
    reducedMotion: 'reduce',
    locale: 'en-GB',
  });
  await context.addInitScript("localStorage.setItem('plimsoll-tour', 'seen')");
  const page = await context.newPage();
  await page.goto(link);
  await page.goto(new URL(`/${picture.at}`, link).href);
  await page.getByRole('heading', { level: 1, name: picture.heading }).waitFor();
  await page
    .getByText(/^Loading/)
    .first()
    .waitFor({ state: 'detached' });
  await picture.prepare?.(page);
  const path = join(FOLDER, `${picture.name}.png`);
  await page.screenshot({ path });
  await context.close();
  console.log(path);
}

const data = await mkdtemp(join(tmpdir(), 'plimsoll-screenshots-'));
const demo = spawn(process.execPath, [BIN, 'demo'], {
  env: { PATH: process.env.PATH, PORT: '0', PLIMSOLL_DATA: data, LOG_LEVEL: 'warn' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const exited = once(demo, 'exit');
try {
  let link: string | undefined;
  for await (const line of createInterface(demo.stdout)) {
    link = /http\S+#token=\S+/.exec(line)?.[0];
    if (link) break;
  }
  if (!link) throw new Error('the demo printed no link');
  await mkdir(FOLDER, { recursive: true });
  const browser = await launchChromium();
  for (const picture of PICTURES) await take(browser, link, picture);
  await browser.close();
} finally {
  demo.kill('SIGTERM');
  await exited;
  await rm(data, { recursive: true, force: true });
}

import { type Browser, chromium } from 'playwright-core';
import { given, PROGRAMS } from '../needs.ts';

/** Beyond what Playwright passes itself: nothing that talks to hosts outside. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A browser with a profile of its own, which is deleted when it closes. */
export function launchChromium(): Promise<Browser> {
  given('browser');
  const executablePath = PROGRAMS.browser.find();
  if (executablePath === undefined)
    throw new Error('No Chromium: install chromium-headless-shell, or set PLIMSOLL_CHROMIUM');
  return chromium.launch({ executablePath, args: FLAGS });
}

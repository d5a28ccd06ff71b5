import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

/** Chromium's note on each answer of 4xx and 5xx; pages show those themselves. */
const ANSWER = /^Failed to load resource: the server responded with a status of/;

/**
 * Chromium aborts running requests when the machine gets or loses a network, as it does while a
 * parallel test cuts one between servers. The page retries, as it does on a train.
 */
const OTHER_NETWORK = /net::ERR_NETWORK_CHANGED/;

/**
 * Chromium's messages once a server is gone. The network error depends on the moment: a socket may
 * refuse, be reset, or be found closed by the peer before anything was sent on it.
 */
export const SERVER_GONE = /net::ERR_\w+|dynamically imported module|Unable to preload CSS/;

/** Watches for things no test may see: messages of faults, other hosts, a token in an address. */
export class Witness {
  readonly #messages: string[] = [];
  readonly #urls: string[] = [];
  readonly #address: string;
  readonly #token: string | undefined;

  constructor(page: Page, address: string, token: string | undefined, expected?: RegExp) {
    this.#address = address;
    this.#token = token;
    const note = (text: string): void => {
      if (!expected?.test(text)) this.#messages.push(text);
    };
    page.on('console', (message) => {
      const isFault = message.type() === 'error' || message.type() === 'warning';
      const isOurs = !ANSWER.test(message.text()) && !OTHER_NETWORK.test(message.text());
      if (isFault && isOurs) note(message.text());
    });
    page.on('pageerror', (error) => note(error.stack ?? error.message));
    page.on('request', (request) => this.#urls.push(request.url()));
  }

  check(): void {
    assert.deepEqual(this.#messages, [], 'the page complained');
    const outside = this.#urls.filter(
      (url) => !url.startsWith(`${this.#address}/`) && !/^(data|blob):/.test(url),
    );
    assert.deepEqual(outside, [], 'the page asked other hosts');
    const token = this.#token;
    if (token === undefined) return;
    const telling = this.#urls.filter((url) => url.split('#')[0]?.includes(token));
    assert.deepEqual(telling, [], 'a token was in an address');
  }
}

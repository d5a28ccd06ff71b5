import assert from 'node:assert/strict';
import { Client } from './plimsoll-process.ts';

/**
 * A browser that goes wherever it is sent, with the cookies of one machine: Plimsoll and the
 * provider are on different ports, whose cookies have different names.
 */
export class ProviderBrowser {
  readonly home: string;
  readonly cookies = new Map<string, string>();

  constructor(home: string) {
    this.home = home;
  }

  /** One request, without following. */
  async ask(address: string, form?: Record<string, string>): Promise<Response> {
    const cookie = Array.from(this.cookies, (pair) => pair.join('=')).join('; ');
    const isHome = address.startsWith(this.home);
    const response = await fetch(address, {
      redirect: 'manual',
      headers: { cookie, ...(isHome ? { 'sec-fetch-site': 'same-origin' } : {}) },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    });
    for (const text of response.headers.getSetCookie()) {
      const [pair = ''] = text.split(';');
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }

  /** Follows redirects to a page, or until one begins with a text; the address and the answer. */
  async go(
    address: string,
    form?: Record<string, string>,
    until = `${this.home}/#`,
  ): Promise<{ address: string; response: Response }> {
    let at = address;
    let response = await this.ask(at, form);
    for (let hops = 0; hops < 20; hops += 1) {
      const next = response.headers.get('location');
      if (next === null) return { address: at, response };
      at = new URL(next, at).href;
      if (at.startsWith(until)) return { address: at, response };
      response = await this.ask(at);
    }
    throw new Error(`no end of redirects at ${at}`);
  }

  /** Signs in at the provider; where that ends at the dashboard. A name is asked for only once. */
  async signIn(name: string): Promise<string> {
    const asked = await this.go(`${this.home}/session/provider`);
    if (asked.address.startsWith(this.home)) return asked.address.slice(this.home.length);
    assert.equal(asked.response.status, 200, `${asked.address} ${await asked.response.text()}`);
    const { address } = await this.go(asked.address, { name });
    return address.slice(this.home.length);
  }

  /** Signs out at the provider, to which Plimsoll leads, and says yes there. */
  async signOutThere(): Promise<string> {
    const asked = await this.go(`${this.home}/session/provider/end`, undefined, `${this.home}/`);
    const page = await asked.response.text();
    const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(page) ?? [];
    assert.notEqual(xsrf, '', page);
    const confirm = new URL('/session/end/confirm', asked.address).href;
    const { address } = await this.go(confirm, { xsrf, logout: 'yes' }, `${this.home}/`);
    return address.slice(this.home.length);
  }

  /** What the dashboard in this browser asks. */
  get client(): Client {
    const cookie = Array.from(this.cookies, (pair) => pair.join('=')).join('; ');
    return new Client(this.home, undefined, { cookie, origin: this.home });
  }
}

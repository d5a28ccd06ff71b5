import type {
  DescribedOperation,
  OpenApiDocument,
} from '../../contract/openapi/described-operation.ts';
import { curlOf } from './curl.ts';
import { type Html, html } from './html.ts';

export type Listed = DescribedOperation & {
  method: string;
  path: string;
  parameters: object[];
};

/** An account, its current equity, and Plimsoll's figures for it. */
const CALLS = ['createAccount', 'recordSnapshots', 'readAccountStanding'];

/** Help for first-time readers of the reference. */
export function firstPage({ servers }: OpenApiDocument, operations: readonly Listed[]): Html {
  const address = servers[0]?.url === '/' ? 'http://127.0.0.1:8787' : servers[0]?.url;
  const byId = new Map(operations.map((operation) => [operation.operationId, operation]));
  const link = (id: string): Html => html`<a href="#${id}">${byId.get(id)?.summary}</a>`;
  return html`<section id="start">
<h2>start here</h2>
<p>Plimsoll watches trading accounts. You send what happens on them: <b>deals</b> (what was executed
and booked) and <b>snapshots</b> (balance and equity at a moment), or it reads both from a trading
platform. It answers with closed trades, statistics, equity charts, and <b>trackers</b>: limits of
profit or drawdown for a period, whose breach is an event that you read or are sent.</p>
<p>Every request carries a token in the header <code>auth-token</code>. The operator of the server
makes one with ${link('createUser')} and ${link('createToken')}; the demo prints a link that has one.
Put it where the examples look for it:</p>
<pre tabindex="0">BASE=${address}
TOKEN=…</pre>
<p>Then make an account, record its equity, and read how it stands:</p>
${CALLS.map((id) => {
  const call = byId.get(id);
  return (
    call &&
    html`<h3>${link(id)}</h3>
<pre tabindex="0">${curlOf(call)}</pre>`
  );
})}
<p>Next: ${link('recordDeals')} or ${link('importStatement')} for trades and statistics,
${link('createTracker')} for limits, ${link('createWebhook')} for events as they come.</p>
</section>`;
}

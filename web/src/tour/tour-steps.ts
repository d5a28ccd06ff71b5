import { path } from '../lib/path.ts';
import type { May } from '../shell/use-may.ts';

type Step = { title: string; words: string; href?: string };

/** What the tour tells, of those things that the token reaches. */
export function stepsFor(may: May): Step[] {
  return [
    {
      title: 'Accounts',
      words:
        'All accounts, the one nearest to its limit first. Figures are live; grey ones are old. Search, filter and label them, press G to see one group only, and save what you look at often as a view. Ctrl+K (⌘K) goes to any account from anywhere.',
    },
    {
      title: 'An account',
      words:
        'At the top: equity, and how much room each limit leaves. Below: the chart with its limits, trades, trackers and incidents. A figure of the API and the one on the page are the same.',
    },
    {
      title: 'The risk desk',
      words:
        'Accounts by the room that is left, and the inbox of exceeded limits. J and K move through it, A acknowledges, M takes it, E opens the evidence. Switch sound on: it rings on every page.',
      href: path.risk(),
    },
    {
      title: 'Rules',
      words: may.write
        ? 'Write a loss limit or target once, try it on the history of many accounts, and let it watch them. A tracker can also stop the account on its platform when its limit is broken.'
        : 'Templates of loss limits and targets. Your token reads only; with a token that may write, they are applied to many accounts at once.',
      href: path.rules(),
    },
    {
      title: 'The rest',
      words:
        'Margin of an order before it is placed; Provisioning opens accounts on platforms and reads them; Integrations has webhooks and your tokens. The API has all that this dashboard shows.',
    },
  ];
}

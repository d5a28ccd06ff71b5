import { useEffect, useRef, useState } from 'react';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { path } from '../lib/path.ts';
import { type May, useMay } from '../shell/use-may.ts';

/** The tour: one page of the dashboard at a time, in words, with a link to it. */
export function TourDialog({ close }: { close: () => void }) {
  const steps = stepsFor(useMay());
  const [place, setPlace] = useState(0);
  const heading = useRef<HTMLHeadingElement>(null);
  const step = steps[place];
  // Screen readers announce the next step.
  useEffect(() => {
    if (place > 0) heading.current?.focus();
  }, [place]);
  if (!step) return null;
  const isLast = place === steps.length - 1;
  return (
    <Dialog title="A short tour" close={close}>
      <div className="stack">
        <p className="hint">
          {place + 1} of {steps.length}
        </p>
        <h3 ref={heading} tabIndex={-1}>
          {step.title}
        </h3>
        <p>{step.words}</p>
        <div className="actions">
          {isLast ? (
            <Button kind="primary" onClick={close}>
              Begin
            </Button>
          ) : (
            <Button kind="primary" onClick={() => setPlace(place + 1)}>
              Next
            </Button>
          )}
          {place > 0 ? <Button onClick={() => setPlace(place - 1)}>Back</Button> : null}
          {step.href ? (
            <a className="button" href={step.href} onClick={close}>
              Go there and end the tour
            </a>
          ) : null}
        </div>
      </div>
    </Dialog>
  );
}

type Step = { title: string; words: string; href?: string };

/** What the tour tells, of those things that the token reaches. */
function stepsFor(may: May): Step[] {
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

import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { chooseGroup, useGroup } from '../lib/group.ts';
import { KEYS, useKeys } from '../lib/keys.ts';
import { GroupDialog } from './group-dialog.tsx';
import './group-bar.css';
import type { Which } from './read-fitting.ts';
import { Totals } from './totals.tsx';
import { useLabels } from './use-labels.ts';

/** The page's group, which is kept on other pages, and its totals. */
export function GroupBar(props: {
  /** The summed accounts; no totals if absent. */
  totals: Which | undefined;
  choose?: (label: string) => void;
}) {
  const { totals, choose = chooseGroup } = props;
  const group = useGroup();
  const hasLabels = (useLabels().data ?? []).length > 0;
  const [isOpen, setOpen] = useState(false);
  const isShown = hasLabels || group !== '';
  useKeys(isShown ? { group: () => setOpen(true) } : {});
  if (!isShown && !totals) return null;
  return (
    <section className="group-bar" aria-label="Group of accounts">
      {isShown ? (
        <div className="row group-choice">
          <Button
            aria-haspopup="dialog"
            aria-keyshortcuts={KEYS.group.key}
            onClick={() => setOpen(true)}
          >
            <span className="muted">Group</span> {group || 'All accounts'}
            <kbd className="wide-only" aria-hidden>
              {KEYS.group.key}
            </kbd>
          </Button>
          {group ? (
            <Button kind="quiet" onClick={() => choose('')}>
              Show all accounts
            </Button>
          ) : null}
        </div>
      ) : null}
      {totals ? <Totals which={totals} /> : null}
      {isOpen ? <GroupDialog group={group} choose={choose} close={() => setOpen(false)} /> : null}
    </section>
  );
}

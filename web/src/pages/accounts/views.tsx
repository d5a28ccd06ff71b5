import { useState } from 'react';
import type { NewAccountView } from '../../../../src/contract/operations/account-views.ts';
import type { Asked } from '../../accounts/use-overview.ts';
import { Button } from '../../components/button.tsx';
import { path } from '../../lib/path.ts';
import { useMay } from '../../shell/use-may.ts';
import { USUAL } from './asked.ts';
import { useViews } from './use-views.ts';
import { ViewsDialog } from './views-dialog.tsx';

/** The differences of a query from the default: these are the view, and its address. */
function viewOf(asked: Asked): NewAccountView {
  const names = Object.keys(USUAL) as (keyof Asked)[];
  return Object.fromEntries(
    names.filter((name) => asked[name] !== USUAL[name]).map((name) => [name, asked[name]]),
  );
}

/** Saved views, one click away; the current one can be saved and the others deleted. */
export function Views({ asked }: { asked: Asked }) {
  const views = useViews().data ?? [];
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  const shown = JSON.stringify(viewOf(asked));
  if (views.length === 0 && (!may.wholeUser || !may.write || shown === '{}')) return null;
  return (
    <nav className="views" aria-label="Saved views">
      <ul>
        {views.map(({ name, changedAt: _, ...view }) => {
          const isShown = JSON.stringify(viewOf({ ...USUAL, ...view })) === shown;
          return (
            <li key={name}>
              <a
                className="view"
                href={path.accounts({ label: '', ...(isShown ? {} : view) })}
                aria-current={isShown ? 'true' : undefined}
              >
                {name}
              </a>
            </li>
          );
        })}
      </ul>
      {may.write && may.wholeUser ? (
        <Button size="small" kind="quiet" onClick={() => setOpen(true)}>
          {views.length === 0 ? 'Save this view' : 'Save or delete views'}
        </Button>
      ) : null}
      {isOpen ? <ViewsDialog view={viewOf(asked)} close={() => setOpen(false)} /> : null}
    </nav>
  );
}

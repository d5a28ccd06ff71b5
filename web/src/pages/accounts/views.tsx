import { type FormEvent, useState } from 'react';
import type { NewAccountView } from '../../../../src/contract/operations/account-views.ts';
import type { Asked } from '../../accounts/use-overview.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Field } from '../../components/field.tsx';
import { showToast } from '../../components/toast.tsx';
import { path } from '../../lib/path.ts';
import { useMay } from '../../shell/use-may.ts';
import { USUAL } from './asked.ts';
import { useDeleteView, useSaveView, useViews } from './use-views.ts';

/** What of a question differs from the usual one: that is a view, and its address. */
function viewOf(asked: Asked): NewAccountView {
  const names = Object.keys(USUAL) as (keyof Asked)[];
  return Object.fromEntries(
    names.filter((name) => asked[name] !== USUAL[name]).map((name) => [name, asked[name]]),
  );
}

/** Saved views, one press away; the one that is shown can be saved and the others deleted. */
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

const WORDS: Record<keyof Asked, string> = {
  search: 'search',
  label: 'group',
  filter: 'only',
  sort: 'sorted by',
  order: 'in order',
};

function ViewsDialog(props: { view: NewAccountView; close: () => void }) {
  const { view, close } = props;
  const views = useViews().data ?? [];
  const [name, setName] = useState('');
  const save = useSaveView();
  const removal = useDeleteView();
  const taken = views.find((each) => each.name === name.trim());
  const isTaken = taken !== undefined;
  const words = Object.entries(view)
    .map(([key, value]) => `${WORDS[key as keyof Asked]} ${value}`)
    .join(', ');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate(
      { name: name.trim(), body: view, replaces: taken?.changedAt ?? 'none' },
      {
        onSuccess: () => {
          showToast('Saved for all who work with these accounts');
          close();
        },
      },
    );
  };
  return (
    <Dialog title="Saved views" close={close}>
      <div className="stack">
        <form className="stack" onSubmit={submit}>
          {save.error ? <ErrorNote error={save.error} /> : null}
          <Field
            label="Save what is shown as"
            required
            hint={
              isTaken
                ? 'A view with this name exists and will be replaced.'
                : words || 'All accounts'
            }
          >
            {(control) => (
              <input
                {...control}
                maxLength={100}
                value={name}
                onChange={({ target }) => setName(target.value)}
              />
            )}
          </Field>
          <div className="actions">
            <Button
              kind="primary"
              type="submit"
              busy={save.isPending}
              disabled={name.trim() === ''}
            >
              {isTaken ? 'Replace it' : 'Save'}
            </Button>
          </div>
        </form>
        {views.length > 0 ? (
          <ul className="views-list">
            {views.map((each) => (
              <li key={each.name} className="row">
                <span>{each.name}</span>
                <ConfirmButton
                  label={`Delete “${each.name}”`}
                  question={`Delete the view “${each.name}”?`}
                  consequence="For all who work with these accounts. The accounts stay as they are."
                  confirm="Delete"
                  busy={removal.isPending}
                  error={removal.error}
                  action={() => removal.mutateAsync(each.name)}
                >
                  Delete
                </ConfirmButton>
              </li>
            ))}
          </ul>
        ) : null}
      </div>
    </Dialog>
  );
}

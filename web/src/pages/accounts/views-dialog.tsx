import type { NewAccountView } from '../../../../src/contract/operations/account-views.ts';
import type { Asked } from '../../accounts/use-overview.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form.tsx';
import { SavedList } from '../../components/saved-list.tsx';
import { showToast } from '../../components/toast.tsx';
import { useTyped } from '../../lib/edits.ts';
import { type AccountView, useDeleteView, useSaveView, useViews } from './use-views.ts';

/** Saves the current view, and deletes saved ones. */
export function ViewsDialog(props: { view: NewAccountView; close: () => void }) {
  const views = useViews().data ?? [];
  const removal = useDeleteView();
  return (
    <Dialog title="Saved views" close={props.close}>
      <div className="stack">
        <SaveView {...props} views={views} />
        <SavedList
          rows={views}
          what="view"
          consequence="For all who work with these accounts. The accounts stay as they are."
          removal={removal}
        />
      </div>
    </Dialog>
  );
}

const WORDS: Record<keyof Asked, string> = {
  search: 'search',
  label: 'group',
  filter: 'only',
  sort: 'sorted by',
  order: 'in order',
};

const wordsOf = (view: NewAccountView): string =>
  Object.entries(view)
    .map(([key, value]) => `${WORDS[key as keyof Asked]} ${value}`)
    .join(', ');

function SaveView(props: {
  view: NewAccountView;
  views: readonly AccountView[];
  close: () => void;
}) {
  const { view, views, close } = props;
  const typed = useTyped({ name: '' });
  const name = typed.form.name.trim();
  const save = useSaveView();
  const taken = views.find((each) => each.name === name);
  const isTaken = taken !== undefined;
  const submit = (): void =>
    save.mutate(
      { params: { name }, query: { replaces: taken?.changedAt ?? 'none' }, body: view },
      {
        onSuccess: () => {
          showToast('Saved for all who work with these accounts');
          close();
        },
      },
    );
  return (
    <Form
      {...typed}
      fields={[
        {
          name: 'name',
          label: 'Save what is shown as',
          required: true,
          hint: isTaken
            ? 'A view with this name exists and will be replaced.'
            : wordsOf(view) || 'All accounts',
          maxLength: 100,
        },
      ]}
      error={save.error}
      submit={submit}
      action={isTaken ? 'Replace it' : 'Save'}
      busy={save.isPending}
      disabled={name === ''}
    />
  );
}

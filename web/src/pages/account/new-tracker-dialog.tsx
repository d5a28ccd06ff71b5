import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import type { createTrackerOperation } from '../../../../src/contract/operations/trackers.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { showToast } from '../../components/toast.tsx';
import { ApiError, call } from '../../lib/api.ts';
import { TrackerFields } from './tracker-fields.tsx';
import { START, toNewTracker } from './tracker-form.ts';
import { TrackerPreview } from './tracker-preview.tsx';
import { describeRule } from './tracker-words.ts';

export function NewTrackerDialog(props: { account: AccountRecord; close: () => void }) {
  const { account, close } = props;
  const [values, setValues] = useState(START);
  const queries = useQueryClient();
  const tracker = toNewTracker(values);
  const creation = useMutation({
    mutationFn: () =>
      call<typeof createTrackerOperation>('POST /users/current/accounts/:accountId/trackers', {
        params: { accountId: account.id },
        body: tracker,
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['account', account.id] });
      showToast(`“${tracker.name}” is watching`);
      close();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    creation.mutate();
  };
  const faults = creation.error instanceof ApiError ? creation.error.faults : [];
  return (
    <Dialog title={`New tracker for ${account.name}`} close={close} wide>
      <form className="tracker-form" onSubmit={submit}>
        <div className="stack">
          <TrackerFields
            values={values}
            currency={account.currency}
            faults={faults}
            change={(changes) => setValues({ ...values, ...changes })}
          />
          {creation.error ? <ErrorNote error={creation.error} /> : null}
          <div className="actions">
            <Button kind="primary" type="submit" busy={creation.isPending}>
              Create tracker
            </Button>
            <Button onClick={close}>Cancel</Button>
          </div>
        </div>
        <div className="stack">
          <div>
            <h3>In plain words</h3>
            <p className="tracker-words" aria-live="polite">
              {describeRule(tracker, account.currency)}
            </p>
          </div>
          <TrackerPreview account={account} tracker={tracker} />
        </div>
      </form>
    </Dialog>
  );
}

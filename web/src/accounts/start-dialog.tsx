import { useEffect, useState } from 'react';
import type { StatementProposal } from '../../../src/contract/operations/new-statements.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { ErrorNote } from '../components/error-note.tsx';
import { addressOf } from '../lib/api.ts';
import { path } from '../lib/path.ts';
import { navigate } from '../lib/route.ts';
import { MappingOffer, tableOfError } from './mapping-offer.tsx';
import { ProposalForm } from './proposal-form.tsx';
import { Sending } from './sending.tsx';
import { StatementDrop } from './statement-drop.tsx';
import { sendFile } from './upload-statement.ts';

type State =
  | { kind: 'empty' }
  | { kind: 'sending'; sent: number }
  | { kind: 'read'; file: File; proposal: StatementProposal }
  | { kind: 'refused'; file: File; error: unknown };

const NONE: readonly File[] = [];

/** Accounts that begin with their statements, one after another: files contain most of the data. */
export function StartDialog(props: { files?: readonly File[]; close: () => void }) {
  const [state, setState] = useState<State>({ kind: 'empty' });
  const [waiting, setWaiting] = useState(NONE);
  const look = async (file: File): Promise<void> => {
    try {
      const proposal = await sendFile<StatementProposal>(
        addressOf('/users/current/statements'),
        { file, isChange: false },
        (sent) => setState({ kind: 'sending', sent }),
      );
      setState({ kind: 'read', file, proposal });
    } catch (error) {
      setState({ kind: 'refused', file, error });
    }
  };
  const take = ([file, ...others]: readonly File[]): void => {
    setWaiting(others);
    if (file) void look(file);
  };
  const { files, close } = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each drop
  useEffect(() => {
    if (files) take(files);
  }, [files]);
  const done = (accountId: string): void => {
    if (waiting.length > 0) {
      take(waiting);
      return;
    }
    // Dropped on any page, the dialog does not go with the page.
    close();
    navigate(path.account(accountId));
  };
  return (
    <Dialog title="Start from a statement" close={close} wide>
      <div className="stack">
        {waiting.length > 0 ? (
          <p className="note">
            One account for each file. After this one: {waiting.map(({ name }) => name).join(', ')}
            <Button size="small" disabled={state.kind === 'sending'} onClick={() => take(waiting)}>
              Leave this one out
            </Button>
          </p>
        ) : null}
        {state.kind === 'empty' || state.kind === 'refused' ? (
          <StatementDrop choose={(chosen) => take([...chosen, ...waiting])} />
        ) : null}
        {state.kind === 'sending' ? <Sending sent={state.sent} /> : null}
        {state.kind === 'refused' ? (
          <>
            <ErrorNote title="Not read." error={state.error} />
            <MappingOffer
              table={tableOfError(state.error)}
              fileName={state.file.name}
              saved={() => void look(state.file)}
            />
          </>
        ) : null}
        {state.kind === 'read' ? <ProposalForm {...state} done={done} close={close} /> : null}
      </div>
    </Dialog>
  );
}

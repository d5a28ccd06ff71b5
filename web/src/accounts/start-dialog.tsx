import { useEffect, useState } from 'react';
import type { StatementProposal } from '../../../src/contract/operations/new-statements.ts';
import { Dialog } from '../components/dialog.tsx';
import { ErrorNote } from '../components/error-note.tsx';
import { addressOf } from '../lib/api.ts';
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

/** An account that begins with its statement: the file contains most of its data. */
export function StartDialog(props: { file?: File; close: () => void }) {
  const [state, setState] = useState<State>({ kind: 'empty' });
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
  const { file } = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each file
  useEffect(() => {
    if (file) void look(file);
  }, [file]);
  return (
    <Dialog title="Start from a statement" close={props.close} wide>
      <div className="stack">
        {state.kind === 'empty' || state.kind === 'refused' ? (
          <StatementDrop choose={([file]) => file && void look(file)} />
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
        {state.kind === 'read' ? <ProposalForm {...state} close={props.close} /> : null}
      </div>
    </Dialog>
  );
}

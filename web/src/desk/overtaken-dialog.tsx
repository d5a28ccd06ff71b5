import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { type Handling, isSo, whatCame } from './handling-words.ts';
import type { Act, Overtaken, useActs } from './use-acts.ts';

/** What somebody else did to incidents meanwhile, and the ways on. */
export function OvertakenDialog(props: {
  acts: ReturnType<typeof useActs>;
  /** Once somebody goes on with it. */
  goOn: () => void;
}) {
  const { overtaken, leave, mutateAsync } = props.acts;
  const act = (wanted: Act): void => void mutateAsync(wanted).then(props.goOn, () => undefined);
  return overtaken ? <Told overtaken={overtaken} act={act} leave={leave} /> : null;
}

function Told(props: { overtaken: Overtaken; act: (act: Act) => void; leave: () => void }) {
  const { act: asked, changed, others } = props.overtaken;
  const { handling } = asked;
  const isOne = asked.seen.length === 1;
  const wanted = changed.filter(({ is }) => !isSo(is, handling)).map(({ is }) => is);
  const count = asked.seen.length - others.seen.length;
  return (
    <Dialog
      title={isOne ? 'Somebody was faster' : `${count} of ${asked.seen.length} have changed`}
      close={props.leave}
    >
      <div className="stack confirm">
        <ul className="overtaken">
          {changed.map(({ was, is }) => (
            <li key={is.id}>
              <strong>{is.accountName}</strong>: {whatCame(was, is)}
            </li>
          ))}
          {count > changed.length ? <li>and {count - changed.length} more.</li> : null}
        </ul>
        <p className="hint">Nothing was done to {isOne ? 'it' : 'any of them'} by you yet.</p>
        <div className="actions confirm-buttons">
          <Button onClick={props.leave}>Leave {isOne ? 'it' : 'all'}</Button>
          {isOne && wanted.length > 0 ? (
            <Button kind="primary" onClick={() => props.act({ seen: wanted, handling })}>
              {anyway(handling)}
            </Button>
          ) : null}
          {others.seen.length > 0 ? (
            <Button kind="primary" onClick={() => props.act(others)}>
              {wordOf(handling)} the other {others.seen.length}
            </Button>
          ) : null}
        </div>
      </div>
    </Dialog>
  );
}

const wordOf = ({ acknowledged, assignee }: Handling): string => {
  if (acknowledged !== undefined) return acknowledged ? 'Acknowledge' : 'Open';
  return assignee ? 'Take' : 'Give back';
};

const anyway = ({ acknowledged, assignee, note }: Handling): string => {
  if (note !== undefined) return 'Save anyway';
  if (acknowledged !== undefined) return acknowledged ? 'Acknowledge anyway' : 'Open it anyway';
  return assignee ? 'Take over' : 'Give back anyway';
};

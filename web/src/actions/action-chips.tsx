import type { BreachActionRecord } from '../../../src/contract/operations/breach-actions.ts';
import { ActionState } from './action-list.tsx';
import { actionWords, dueWords, tookWords } from './action-words.ts';
import './actions.css';

/** Actions done on the platform, in a line of an incident. */
export function ActionChips({ actions }: { actions: readonly BreachActionRecord[] }) {
  if (actions.length === 0) return null;
  return (
    <ul className="action-chips" aria-label="Done on the platform">
      {actions.map((action) => (
        <li key={action.id}>
          <ActionState action={action} />
          <span>{actionWords(action)}</span>
          <span className="hint">{tookWords(action) ?? dueWords(action)}</span>
        </li>
      ))}
    </ul>
  );
}

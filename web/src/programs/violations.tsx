import type { RuleViolationRecord } from '../../../src/contract/operations/enrolments.ts';
import { RULE_KINDS } from '../../../src/words/programs.ts';
import { BrokerTime } from '../components/broker-time.tsx';

/** What broke rules over deals, and by which deals; the newest, oldest first. */
export function Violations({ violations }: { violations: readonly RuleViolationRecord[] }) {
  if (violations.length === 0) return null;
  return (
    <div>
      <h3>Broken by deals</h3>
      <ul className="progress-list">
        {violations.map(({ kind, brokerTime, dealIds, equation }) => (
          <li key={`${kind} ${brokerTime} ${equation} ${dealIds}`}>
            <span className="row">
              <strong>{RULE_KINDS[kind]}</strong>
              <BrokerTime value={brokerTime} seconds />
            </span>
            <span className="number">{equation}</span>
            {dealIds.length > 0 ? (
              <span className="hint">
                {dealIds.length === 1 ? 'Deal' : 'Deals'} {dealIds.join(', ')}
              </span>
            ) : null}
          </li>
        ))}
      </ul>
    </div>
  );
}

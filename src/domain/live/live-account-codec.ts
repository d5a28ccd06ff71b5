import type { BrokerClockView } from './broker-clock-view.ts';
import type { LiveAccount } from './live-account.ts';
import type { TrackerDefinition } from './tracker-definition.ts';
import type { TrackerRules } from './tracker-rule.ts';

/** The account's state as bytes, equal for equal states. Definitions and names are not in it. */
export function encodeLiveAccount(_account: LiveAccount): Uint8Array {
  throw new Error('Not written yet');
}

/**
 * The account that was encoded. `definitions`: those of its trackers, in any order; one that the
 * bytes don't hold is left out (add it with addTracker), a tracker without a definition is dropped.
 * Throws RangeError when the bytes are of another version or cut short.
 */
export function decodeLiveAccount(
  _bytes: Uint8Array,
  _id: string,
  _clock: BrokerClockView,
  _definitions: readonly TrackerDefinition[],
  _rules: TrackerRules,
): LiveAccount {
  throw new Error('Not written yet');
}

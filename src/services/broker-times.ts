import { type BrokerTimeMs, parseBrokerTime } from '../domain/broker-time.ts';
import { VALID_TIME } from '../domain/formats.ts';
import { type Fault, invalid } from './errors.ts';

/**
 * Reads broker times of a request by the names of their parameters. Throws `validation` naming each
 * that is not an existing date and time.
 */
export function readBrokerTimes<Name extends string>(
  texts: Record<Name, string>,
): Record<Name, BrokerTimeMs> {
  const faults: Fault[] = [];
  const times = Object.entries<string>(texts).map(([parameter, text]) => {
    const timeMs = parseBrokerTime(text);
    if (timeMs === undefined) faults.push({ parameter, message: VALID_TIME });
    return [parameter, timeMs ?? 0] as const;
  });
  if (faults.length > 0) throw invalid(faults);
  return Object.fromEntries(times) as Record<Name, BrokerTimeMs>;
}

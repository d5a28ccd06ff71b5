/** An event of the API, by its identity and its figures. */
export type ShownEvent = { trackerId: string; startBrokerTime: string };
export type ToldEvent = ShownEvent & { sequenceNumber: number; kind: string };
type Revision = ToldEvent & { kind: 'revision'; revises: number; stillExceeded: boolean };

/** Only in revisions, too. */
export function drawdownOf(event: ShownEvent): ShownEvent {
  const {
    absoluteProfit: _p,
    relativeProfit: _r,
    used: _u,
    ...drawdown
  } = event as ShownEvent & Record<'absoluteProfit' | 'relativeProfit' | 'used', unknown>;
  return drawdown;
}

/** The events that hold after later corrections, as in their last revisions. */
export function standingOf(told: readonly ToldEvent[]): {
  found: ShownEvent[];
  revised: Set<string>;
} {
  const last = new Map<number, Revision>();
  for (const event of told) if (isRevision(event)) last.set(event.revises, event);
  const revised = new Set<string>();
  const found = told.flatMap(({ sequenceNumber, ...event }): ShownEvent[] => {
    const revision = last.get(sequenceNumber);
    if (event.kind === 'revision' || revision?.stillExceeded === false) return [];
    if (!revision) return [event];
    revised.add(keyOf(event));
    const { sequenceNumber: _number, kind: _kind, revises: _revises, ...figures } = revision;
    const { stillExceeded: _still, ...drawdown } = figures;
    return [drawdownOf({ ...event, ...drawdown })];
  });
  return { found, revised };
}

const isRevision = (event: ToldEvent): event is Revision => event.kind === 'revision';

export const keyOf = (event: ShownEvent & { kind?: string }): string =>
  `${event.trackerId} ${event.startBrokerTime} ${event.kind}`;

export const byKey = (a: ShownEvent, b: ShownEvent): number => (keyOf(a) < keyOf(b) ? -1 : 1);

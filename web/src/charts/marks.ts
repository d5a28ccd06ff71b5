/** An event at a moment of the chart. */
export type Mark = {
  id: string;
  /** Revised: a reported incident that is none by the facts known now. */
  kind: 'loss' | 'target' | 'revised' | 'deposit' | 'withdrawal' | 'won' | 'lost';
  /** Of the broker's wall clock, as if it were UTC. */
  timeSeconds: number;
};

/** A stretch over which a floor or a target stays the same. */
export type Step = { from: number; to: number; value: number };
export type StepLine = { id: string; title: string; kind: 'floor' | 'target'; steps: Step[] };

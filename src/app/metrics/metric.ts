/** An alert of Prometheus, with what to do about it. */
export type AlertRule = {
  alert: string;
  expr: string;
  for?: string;
  /** critical: breaches are not found, or not told. */
  severity: 'critical' | 'warning';
  summary: string;
  /** What it means and what to do: the runbook. */
  description: string;
};

/** What is worth watching has a rule: a threshold in words alone does not compile. */
export type Metric = { type: 'gauge' | 'counter' | 'histogram'; shows: string } & (
  | { watch: string; rules: readonly [AlertRule, ...AlertRule[]] }
  | { watch?: never; rules?: never }
);

export const defineMetrics = (
  metrics: Record<`plimsoll_${string}`, Metric>,
): Record<`plimsoll_${string}`, Metric> => metrics;

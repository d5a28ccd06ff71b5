/** An alert of Prometheus, with a remedy. */
export type AlertRule = {
  alert: string;
  expr: string;
  for?: string;
  /** critical: breaches are not found, or not reported. */
  severity: 'critical' | 'warning';
  summary: string;
  /** Its meaning and remedy: the runbook. */
  description: string;
};

/** Metrics worth watching have a rule: a threshold in words alone does not compile. */
export type Metric = { type: 'gauge' | 'counter' | 'histogram'; shows: string } & (
  | { watch: string; rules: readonly [AlertRule, ...AlertRule[]] }
  | { watch?: never; rules?: never }
);

export const defineMetrics = (
  metrics: Record<`plimsoll_${string}`, Metric>,
): Record<`plimsoll_${string}`, Metric> => metrics;

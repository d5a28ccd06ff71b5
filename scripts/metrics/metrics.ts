import { FACT_METRICS } from './facts.ts';
import type { AlertRule } from './metric.ts';
import { WORK_METRICS } from './work.ts';

/**
 * All metrics of Plimsoll. The tables of the documents and the alert rules are made from it
 * (scripts/metrics-documents.ts), and a test finds metrics of a server that are missing here.
 */
export const METRICS = { ...FACT_METRICS, ...WORK_METRICS };

/** Some of the metrics of Prometheus and Node themselves. */
const OTHER_RULES: readonly AlertRule[] = [
  {
    alert: 'PlimsollDown',
    expr: 'up{job="plimsoll"} == 0',
    for: '1m',
    severity: 'critical',
    summary: 'Plimsoll on {{ $labels.instance }} does not answer',
    description: 'Its process is gone, or the network to it. Look at its log; start it again.',
  },
  {
    alert: 'PlimsollGone',
    expr: 'absent(up{job="plimsoll"})',
    for: '5m',
    severity: 'critical',
    summary: 'Prometheus watches no process of Plimsoll',
    description: 'Check the scrape configuration, whose job must be named plimsoll.',
  },
  {
    alert: 'PlimsollGrows',
    expr: 'deriv(process_resident_memory_bytes{job="plimsoll"}[6h]) * 86400 > 1e9',
    for: '6h',
    severity: 'warning',
    summary: 'Plimsoll on {{ $labels.instance }} grows by {{ $value | humanize }}B a day',
    description:
      'Memory may be leaking. Save /metrics and the log, restart the process, and report it.',
  },
];

export const ALERT_RULES: readonly AlertRule[] = [
  ...OTHER_RULES,
  ...Object.values(METRICS).flatMap(({ rules = [] }) => rules),
];

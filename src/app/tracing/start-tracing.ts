import type { Logger } from 'pino';
import type { BeginTrace } from '../../http/traces.ts';
import type { Database } from '../../storage/database.ts';
import type { Settings } from '../settings.ts';

export type StartedTracing = {
  begin: BeginTrace;
  /** The same database; requests' statements are steps of their traces. */
  trace(database: Database): Database;
  stop(): Promise<void>;
};

/** Undefined without a collector: then no code is loaded, and it costs nothing. */
export async function startTracing(
  settings: Settings,
  logger: Logger,
): Promise<StartedTracing | undefined> {
  const collector = settings.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (!collector) return undefined;
  const { Tracing } = await import('./tracing.ts');
  const { traceDatabase } = await import('./traced-database.ts');
  const { traceOutgoing } = await import('./outgoing-requests.ts');
  const service = settings.OTEL_SERVICE_NAME;
  const share = settings.OTEL_TRACES_SAMPLER_ARG;
  const tracing = new Tracing({ collector, service, share, logger });
  const stopOutgoing = traceOutgoing(tracing);
  return {
    begin: tracing.begin,
    trace: (database) => traceDatabase(database, tracing),
    stop: () => {
      stopOutgoing();
      return tracing.stop();
    },
  };
}

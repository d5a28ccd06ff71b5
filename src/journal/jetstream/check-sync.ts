const ANSWER_MS = 3000;

/** Servers that acknowledge before data is on disk, and those that do not tell; for operators. */
export type SyncReport = { unsafe: string[]; unknown: string[] };

type JetStreamReport = { config?: { sync_always?: boolean; sync_interval?: number } };

/**
 * Asks each server's monitoring address whether messages are on disk before they are acknowledged
 * (`sync_interval: always`). With the default of two minutes, a power cut of all servers loses
 * everything acknowledged since the last sync.
 */
export async function checkSync(monitors: readonly string[]): Promise<SyncReport> {
  const report: SyncReport = { unsafe: [], unknown: [] };
  const asked = monitors.map(async (monitor) => {
    try {
      const signal = AbortSignal.timeout(ANSWER_MS);
      const answer = await fetch(new URL('/jsz', monitor), { signal });
      const { config } = (await answer.json()) as JetStreamReport;
      if (config?.sync_always === true) return;
      if (!config) report.unknown.push(`${monitor} does not report on JetStream`);
      else report.unsafe.push(`${monitor} has not set "sync_interval: always"`);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      report.unknown.push(`${monitor} does not answer (${reason})`);
    }
  });
  await Promise.all(asked);
  return report;
}

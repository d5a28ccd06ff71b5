const ANSWER_MS = 3000;

/** Servers that acknowledge what is not on disk, and those that do not tell, in words. */
export type SyncReport = { unsafe: string[]; unknown: string[] };

type JetStreamReport = { config?: { sync_always?: boolean; sync_interval?: number } };

/**
 * Asks each server, at the address where it tells of itself, whether a message is on disk before it is
 * acknowledged: `sync_interval: always`. With what is set otherwise, two minutes, a power cut of all
 * servers takes everything that was acknowledged meanwhile.
 */
export async function checkSync(monitors: readonly string[]): Promise<SyncReport> {
  const report: SyncReport = { unsafe: [], unknown: [] };
  const asked = monitors.map(async (monitor) => {
    try {
      const signal = AbortSignal.timeout(ANSWER_MS);
      const answer = await fetch(new URL('/jsz', monitor), { signal });
      const { config } = (await answer.json()) as JetStreamReport;
      if (config?.sync_always === true) return;
      if (!config) report.unknown.push(`${monitor} does not tell of JetStream`);
      else report.unsafe.push(`${monitor} has not set "sync_interval: always"`);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      report.unknown.push(`${monitor} does not answer (${reason})`);
    }
  });
  await Promise.all(asked);
  return report;
}

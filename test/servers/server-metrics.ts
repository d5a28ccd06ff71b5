/** A server's /metrics, as text. */
export async function metricsOf(address: string): Promise<string> {
  return (await fetch(`${address}/metrics`)).text();
}

/** A metric that has no labels; undefined if the server does not show it. */
export async function metricOf(address: string, name: string): Promise<number | undefined> {
  const value = new RegExp(`^${name} (\\S+)`, 'm').exec(await metricsOf(address))?.[1];
  return value === undefined ? undefined : Number(value);
}

/** Snapshots that a process has folded since it started. */
export const foldedBy = async (address: string): Promise<number> =>
  (await metricOf(address, 'plimsoll_folded_snapshots_total')) ?? 0;

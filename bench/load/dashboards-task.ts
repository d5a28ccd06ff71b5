/**
 * A process that is open dashboards, each with a token of its own: a page of the list of accounts,
 * the counters, the incidents and a stream of events, as often as the dashboard asks (web/src).
 */
export type DashboardsOrder = { address: string; tokens: readonly string[] };

const LIST = '/users/current/accounts-overview?limit=100';
const COUNTERS = '/users/current/accounts-overview?limit=1';
const OPEN = '/users/current/incidents?state=open&limit=50';
const NEWEST = '/users/current/incidents?state=all&limit=50';
const EVENTS = '/users/current/standing/live?part=standing&part=incidents';
const OFTEN_MS = 4000;
const SELDOM_MS = 10_000;

const { address, tokens } = JSON.parse(process.argv[2] ?? '{}') as DashboardsOrder;

async function ask(path: string, token: string): Promise<void> {
  const answer = await fetch(address + path, { headers: { 'auth-token': token } });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
}

/** Asks anew so long after the last answer, from a moment of its own on. */
function askEvery(everyMs: number, paths: readonly string[], token: string): void {
  const round = async (): Promise<void> => {
    await Promise.all(paths.map((path) => ask(path, token)));
    setTimeout(round, everyMs);
  };
  setTimeout(round, Math.random() * everyMs);
}

for (const token of tokens) {
  askEvery(OFTEN_MS, [LIST, COUNTERS], token);
  askEvery(SELDOM_MS, [OPEN, NEWEST], token);
  // Open until the process ends.
  void fetch(address + EVENTS, { headers: { 'auth-token': token } });
}

process.send?.('ready');

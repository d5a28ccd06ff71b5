import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export type Load = {
  address: string;
  connections: number;
  seconds: number;
  token?: string;
  /** Lua that returns the path of request number `n`, counted from 0. */
  path: string;
};

/** Asks as fast as it is answered; requests a second. Throws when any answer was an error. */
export async function askWithWrk(load: Load): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'plimsoll-bench-'));
  const script = join(folder, 'load.lua');
  await writeFile(script, luaOf(load));
  const { address, connections, seconds } = load;
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s', '-s', script];
  try {
    const { stdout } = await run('wrk', [...args, address]);
    const { requests, microseconds, failed } = JSON.parse(stdout.split('\n').at(-2) ?? '');
    if (failed > 0 || requests === 0) throw new Error(`${failed} requests to ${address} failed`);
    return requests / (microseconds / 1e6);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const luaOf = ({ path, token }: Load): string => `
local n = -1
${token ? `wrk.headers["auth-token"] = "${token}"` : ''}
local path_of = function(n) ${path} end
request = function()
  n = n + 1
  return wrk.format("GET", path_of(n))
end
done = function(summary, latency, requests)
  local e = summary.errors
  local failed = e.connect + e.read + e.write + e.status + e.timeout
  io.write(string.format('\\n{"requests":%d,"microseconds":%d,"failed":%d}\\n',
    summary.requests, summary.duration, failed))
end
`;

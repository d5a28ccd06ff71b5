import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { firstLine } from './first-line.ts';
import type { BridgeFault } from './p4-bridge-server.ts';
import type { BridgeControl } from './p4-bridge-server-control.ts';

const MAIN = fileURLToPath(new URL('./p4-bridge-server.ts', import.meta.url));

export type P4BridgeProcess = {
  url: string;
  port: number;
  setFault(fault: BridgeFault): Promise<void>;
  /** How much later than asked each answer comes. */
  setLatency(ms: number): Promise<void>;
  /** Does something on the p4 server behind the bridge. */
  control(command: BridgeControl): Promise<void>;
  /** Leaves calls out, and says so in its health or not. */
  setCalls(lacks: {
    without?: readonly string[];
    missingStatus?: 404 | 405 | 501;
    listsCalls?: boolean;
  }): Promise<void>;
  /** Method and path of the calls since it was asked last. */
  calls(): Promise<string[]>;
  kill(): Promise<void>;
};

/**
 * Starts the p4 bridge of the tests; its token is `bridge-token`. With `--key` and `--cert` it
 * speaks https, and faults can't be set.
 */
export async function startP4Bridge(args: readonly string[] = []): Promise<P4BridgeProcess> {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  const line = await firstLine(child, 'the p4 bridge of the tests');
  const { port } = JSON.parse(line) as { port: number };
  const url = `http${args.includes('--key') ? 's' : ''}://127.0.0.1:${port}`;
  const post = async (path: string, body: object): Promise<void> => {
    const answer = await fetch(url + path, { method: 'POST', body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  };
  return {
    url,
    port,
    setFault: (fault) => post('/control/fault', fault),
    setLatency: (latencyMs) => post('/control/network', { latencyMs }),
    setCalls: (lacks) => post('/control/calls', lacks),
    control: (command) => post('/control/do', command),
    calls: async () => (await (await fetch(`${url}/control/calls`)).json()) as string[],
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

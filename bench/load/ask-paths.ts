/**
 * A process that asks for paths in turns, as fast as it is answered. Sends how often that was, and
 * how often it was told to come again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpClient } from '../http-client.ts';
import { sendLast } from './send-last.ts';

export type AskSettings = {
  addresses: readonly string[];
  paths: readonly string[];
  connections: number;
  seconds: number;
};
export type Asked = { answers: number; refused: number; seconds: number; cpuMs: number };

const LATER = '"ServiceUnavailableError"';
const REST_MS = 100;

const { addresses, paths, connections, seconds } = JSON.parse(
  process.argv[2] ?? '{}',
) as AskSettings;

const http = new HttpClient();
const began = performance.now();
const ends = began + seconds * 1000;
let asked = 0;
let answers = 0;
let refused = 0;

async function ask(address: string): Promise<void> {
  while (performance.now() < ends) {
    asked += 1;
    try {
      await http.get(address + paths[asked % paths.length]);
      answers += 1;
    } catch (error) {
      if (!(error instanceof Error && error.message.includes(LATER))) throw error;
      refused += 1;
      await sleep(REST_MS);
    }
  }
}

await Promise.all(
  Array.from({ length: connections }, (_, place) => ask(addresses[place % addresses.length] ?? '')),
);
http.close();
const { user, system } = process.cpuUsage();
const took = (performance.now() - began) / 1000;
sendLast({ answers, refused, seconds: took, cpuMs: (user + system) / 1000 } satisfies Asked);

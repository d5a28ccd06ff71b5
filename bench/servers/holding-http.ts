/**
 * The ceiling of telling many who wait: node:http that holds every GET, until a POST has it answer
 * all of them with ready bytes. It shows under /metrics how many it holds, as Plimsoll does.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type HoldingSettings = { bytes: number };

const settings = JSON.parse(process.argv[2] ?? '{}') as HoldingSettings;
const body = Buffer.alloc(settings.bytes, 'x');
const held = new Set<ServerResponse>();

function answer(response: ServerResponse, bytes: string | Buffer): void {
  response.writeHead(200, { 'content-length': String(bytes.length) });
  response.end(bytes);
}

const server = createServer((request, response) => {
  if (request.url === '/metrics') {
    return answer(response, `plimsoll_waiting_pollers ${held.size}\n`);
  }
  if (request.method === 'GET') {
    held.add(response);
    response.once('close', () => held.delete(response));
    return;
  }
  for (const waiting of held) answer(waiting, body);
  held.clear();
  request.resume();
  answer(response, '');
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit());

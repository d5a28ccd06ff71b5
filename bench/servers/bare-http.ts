/**
 * The ceiling: node:http and nothing else. Answers with ready bytes from memory; with `parseLines`
 * it also parses each line of the body as JSON, and nothing more.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export type BareSettings = { bytes: number; parseLines?: boolean };

const settings = JSON.parse(process.argv[2] ?? '{}') as BareSettings;
const body = Buffer.alloc(settings.bytes, 'x');
const headers = {
  'content-type': 'application/json; charset=utf-8',
  'content-length': String(body.length),
};

async function receive(request: IncomingMessage): Promise<void> {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(request, 'end');
  if (!settings.parseLines) return;
  for (const line of Buffer.concat(chunks).toString().split('\n')) {
    if (line !== '') JSON.parse(line);
  }
}

const server = createServer((request, response) => {
  const answer = (): void => {
    response.writeHead(200, headers);
    response.end(body);
  };
  if (request.method === 'GET') answer();
  else void receive(request).then(answer);
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit());

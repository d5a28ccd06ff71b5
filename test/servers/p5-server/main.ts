import { readFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import type { AddressInfo, Server } from 'node:net';
import { parseArgs } from 'node:util';
import { AccessServer } from './access-server.ts';
import { controlServer } from './control.ts';
import { Faults } from './faults.ts';
import { Store } from './state.ts';

/**
 * A p5 access server for tests, as a process of its own:
 *   node test/servers/p5-server/main.ts --state FILE [--port N] [--key FILE --cert FILE]
 * Prints one JSON line {port, controlPort} once both ports listen on 127.0.0.1. Everything that a
 * broker keeps is in FILE, so it can be killed and started again at any moment.
 */
const { values } = parseArgs({
  options: {
    state: { type: 'string' },
    port: { type: 'string', default: '0' },
    key: { type: 'string' },
    cert: { type: 'string' },
  },
});
if (values.state === undefined) throw new Error('--state FILE is needed');

const store = new Store(values.state);
const faults = new Faults();
const access = new AccessServer(store, faults, {
  ...(values.key === undefined ? {} : { key: readFileSync(values.key, 'utf8') }),
  ...(values.cert === undefined ? {} : { cert: readFileSync(values.cert, 'utf8') }),
});
const control = controlServer(store, access, faults);

const listen = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });

const port = await listen(access.server, Number(values.port));
const controlPort = await listen(control, 0);
process.stdout.write(`${JSON.stringify({ port, controlPort })}\n`);
// Not at its end, which is a SIGKILL: the next one starts in half the time.
flushCompileCache();
// A test run that dies takes its servers along: its end of the pipe closes.
process.stdin.on('end', () => process.exit(0)).resume();

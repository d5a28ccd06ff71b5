import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const CONFIG = `
[ tsa ]
default_tsa = own
[ own ]
serial = serial
signer_cert = tsa.pem
certs = ca.pem
signer_key = tsa.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
accuracy = secs:1
ess_cert_id_chain = yes
`;

/** openssl's own time-stamping authority, with a certificate of its own. */
export type Authority = {
  url: string;
  /** PEM of its root. */
  caFile: string;
  /** How many tokens it made. */
  readonly made: number;
  /** A token over a question, as it answers one over HTTP. */
  answer(question: Buffer): Promise<Buffer>;
  /** From now on it answers everything with this instead; undefined: as it should. */
  say(other: { status: number; body: Buffer } | undefined): void;
  close(): Promise<void>;
};

export async function startAuthority(): Promise<Authority> {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-tsa-'));
  const openssl = (...args: string[]) => {
    const done = spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' });
    assert.equal(done.status, 0, done.stderr);
  };
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const ca = ['-x509', '-days', '30', '-subj', '/CN=Root', '-keyout', 'ca.key', '-out', 'ca.pem'];
  openssl('req', ...newKey, ...ca);
  openssl('req', ...newKey, '-subj', '/CN=Stamps', '-keyout', 'tsa.key', '-out', 'tsa.csr');
  writeFileSync(join(folder, 'use'), 'extendedKeyUsage = critical,timeStamping\n');
  const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '20'];
  openssl('x509', '-req', '-in', 'tsa.csr', ...signed, '-extfile', 'use', '-out', 'tsa.pem');
  writeFileSync(join(folder, 'tsa.conf'), CONFIG);
  writeFileSync(join(folder, 'serial'), '01\n');
  // One after another: two at once would read the file of the serial number half written.
  let last: Promise<unknown> = Promise.resolve();
  let made = 0;
  let said: { status: number; body: Buffer } | undefined;
  const answer = async (question: Buffer): Promise<Buffer> => {
    made += 1;
    const file = join(folder, `question-${made}`);
    writeFileSync(file, question);
    const args = ['ts', '-reply', '-config', 'tsa.conf', '-section', 'own', '-queryfile', file];
    const reply = last.then(() => run('openssl', args, { cwd: folder, encoding: 'buffer' }));
    last = reply.catch(() => undefined);
    return (await reply).stdout;
  };
  const bodyOf = async (request: IncomingMessage): Promise<Buffer> =>
    Buffer.concat((await request.toArray()) as Buffer[]);
  const server = createServer((request, reply) => {
    bodyOf(request)
      .then(async (question) => {
        assert.equal(request.headers['content-type'], 'application/timestamp-query');
        const body = said?.body ?? (await answer(question));
        reply.writeHead(said?.status ?? 200, { 'content-type': 'application/timestamp-reply' });
        reply.end(body);
      })
      .catch((error: unknown) => reply.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    ...{ url: `http://127.0.0.1:${port}/`, caFile: join(folder, 'ca.pem'), answer },
    get made() {
      return made;
    },
    say(other) {
      said = other;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true });
    },
  };
}

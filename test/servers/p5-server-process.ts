import { execFileSync, spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstLine } from './first-line.ts';
import { freePort } from './free-ports.ts';

/** The manager account of every fresh test server. */
export const P5_MANAGER = { login: 1000, password: 'Password1' } as const;

export type P5ServerProcess = {
  url: string;
  /** Of the process that runs now. */
  readonly pid: number;
  /** PEM of the server's own certificate; undefined over plain http. */
  certificate: string | undefined;
  fingerprint: string | undefined;
  /** Calls the switchboard (see control.ts) and returns its answer. */
  control(path: string, body?: Record<string, unknown>): Promise<Record<string, unknown>>;
  kill(): Promise<void>;
  /** Starts again on the same port with the same state. */
  start(): Promise<void>;
  /** Kills it and removes its files. */
  remove(): Promise<void>;
};

const MAIN = new URL('./p5-server/main.ts', import.meta.url).pathname;

export async function startP5Server(options: { tls?: boolean } = {}): Promise<P5ServerProcess> {
  const directory = mkdtempSync(join(tmpdir(), 'plimsoll-p5-'));
  const certificate = options.tls ? makeCertificate(directory) : undefined;
  const state = join(directory, 'state.json');
  let port = await freePort();
  let controlPort = 0;
  let child: ReturnType<typeof spawn> | undefined;

  const start = async (): Promise<void> => {
    const started = spawn(
      process.execPath,
      [
        MAIN,
        ...['--state', state, '--port', String(port)],
        ...(certificate ? ['--key', certificate.keyFile, '--cert', certificate.certFile] : []),
      ],
      { stdio: ['pipe', 'pipe', 'pipe'] },
    );
    child = started;
    ({ port, controlPort } = JSON.parse(await firstLine(started, 'the p5 test server')));
  };
  const kill = async (): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  await start();
  return {
    url: `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    get pid() {
      return child?.pid ?? 0;
    },
    certificate: certificate?.pem,
    fingerprint: certificate?.fingerprint,
    async control(path, body = {}) {
      const response = await fetch(`http://127.0.0.1:${controlPort}${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
      });
      const answer = (await response.json()) as Record<string, unknown>;
      if (!response.ok) throw new Error(`control ${path}: ${JSON.stringify(answer)}`);
      return answer;
    },
    kill,
    start,
    async remove() {
      await kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** A self-signed certificate for 127.0.0.1, as access servers usually show one. */
function makeCertificate(directory: string): {
  keyFile: string;
  certFile: string;
  pem: string;
  fingerprint: string;
} {
  const keyFile = join(directory, 'key.pem');
  const certFile = join(directory, 'cert.pem');
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
      ...['-keyout', keyFile, '-out', certFile, '-days', '2', '-subj', '/CN=p5 test server'],
      ...['-addext', 'subjectAltName=IP:127.0.0.1'],
    ],
    { stdio: 'ignore' },
  );
  const pem = readFileSync(certFile, 'utf8');
  return { keyFile, certFile, pem, fingerprint: new X509Certificate(pem).fingerprint256 };
}

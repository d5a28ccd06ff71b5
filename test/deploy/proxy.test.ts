import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get, type RequestOptions, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { exampleOf } from '../docs/blocks.ts';
import { lacks, needs, PROGRAMS } from '../needs.ts';
import { endWithUs } from '../servers/end-with-us.ts';
import { freePort } from '../servers/free-ports.ts';
import { newUser, startOn } from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';

needs('server', 'nginx', 'openssl');

const NGINX = PROGRAMS.nginx.find() ?? '';
/** More than nginx takes unless it is told otherwise. */
const LARGE_BODY = 'x'.repeat(2 * 1024 * 1024);

const skip = lacks('nginx');

it('the proxy of deploy/README.md passes on what it must, and nothing else', {
  skip,
}, async (t) => {
  const { server, close } = await startOn('sqlite', { LOG_LEVEL: 'warn' });
  t.after(close);
  const { token = '' } = await newUser(server.address);
  const port = await startNginx(t, server.address);
  const headers = { 'auth-token': token };
  const ask = (path: string, options: RequestOptions = {}, body?: string) =>
    answerOf({ port, path, rejectUnauthorized: false, headers, ...options }, body);

  assert.match(await ask('/users/current/token'), /^200 /);
  assert.match(await ask('/metrics'), /^404 /);
  assert.match(await ask('/users/current/snapshots', { method: 'POST' }, LARGE_BODY), /^400 /);

  let streamed = '';
  const path = '/users/current/drawdown-events/live';
  const stream = get({ port, path, rejectUnauthorized: false, headers }, (response) => {
    response.on('data', (chunk: Buffer) => {
      streamed += chunk.toString();
    });
  });
  stream.on('error', () => undefined);
  await until(() => streamed.startsWith('retry: '), 'the stream begins before it ends');
  stream.destroy();
});

async function startNginx(t: TestContext, address: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-nginx-'));
  const port = await freePort();
  const [key, certificate] = [join(folder, 'plimsoll.key'), join(folder, 'plimsoll.pem')];
  const self = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
  const files = [
    '-nodes',
    '-keyout',
    key,
    '-out',
    certificate,
    '-subj',
    '/CN=plimsoll.example.com',
  ];
  execFileSync('openssl', [...self, ...files], { stdio: 'ignore' });
  const site = exampleOf('deploy/README.md', 'proxy_pass')
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replaceAll('/etc/ssl', folder)
    .replace('http://127.0.0.1:8787', address);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ');
  const settings = join(folder, 'nginx.conf');
  writeFileSync(
    settings,
    `daemon off; master_process off; pid ${folder}/pid; events {}
    http { access_log off; ${temporary}\n${site}}`,
  );
  const log = join(folder, 'error.log');
  const nginx = spawn(NGINX, ['-c', settings, '-e', log], { stdio: 'ignore' });
  endWithUs(nginx);
  t.after(() => {
    nginx.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });
  await until(async () => {
    assert.equal(nginx.exitCode, null, existsSync(log) ? readFileSync(log, 'utf8') : '');
    const options = { port, path: '/health/live', rejectUnauthorized: false };
    return (await answerOf(options).catch(() => '')).startsWith('200 ');
  }, 'nginx answers');
  return port;
}

/** Status and body. */
function answerOf(options: RequestOptions, body?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const asking = request(options, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      response.on('end', () => resolve(`${response.statusCode} ${text}`));
    });
    asking.on('error', reject);
    asking.end(body);
  });
}

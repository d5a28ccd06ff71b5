import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, resolve } from 'node:path';
import { checkSync } from '../../journal/jetstream/check-sync.ts';
import type { Settings } from '../settings.ts';
import { compareClock } from './database-checks.ts';
import { bad, type Check, type Finding, good, unused, warning, worst } from './finding.ts';

const ANSWER_MS = 3000;
const LEAST_FREE = 0.05;
const GIGABYTE = 1024 ** 3;

/** Checks of the server's surroundings: disk, mail server, journal, its own address. */
export function surroundingsChecks(settings: Settings): Check[] {
  return [
    { name: 'disk', run: () => diskOf(settings) },
    { name: 'mail', run: () => mailOf(settings) },
    { name: 'journal', run: () => journalOf(settings) },
    { name: 'public address', run: () => addressOf(settings) },
  ];
}

async function diskOf({ DATABASE_URL, PLIMSOLL_DATA }: Settings) {
  if (DATABASE_URL) return unused("PostgreSQL's own: see its machine");
  let there = resolve(PLIMSOLL_DATA);
  while (!existsSync(there)) there = dirname(there);
  const { bavail, blocks, bsize } = await statfs(there);
  const found = `${((bavail * bsize) / GIGABYTE).toFixed(1)} GB are free (${there})`;
  const isLow = bavail < blocks * LEAST_FREE || bavail * bsize < GIGABYTE;
  return isLow ? warning(found, 'make room before writes are refused') : good(found);
}

async function mailOf({ SMTP_URL: server }: Settings): Promise<Omit<Finding, 'check'>> {
  if (!server) return unused('SMTP_URL is not set: e-mails go to the log');
  const { reachSmtp } = await import('../../network/smtp-sender.ts');
  const where = `${server.host}:${server.port}`;
  try {
    await reachSmtp(server);
    return good(`${where} takes mail`);
  } catch (error) {
    const { message } = error instanceof Error ? error : new Error(String(error));
    return bad(`${where}: ${message}`, 'check SMTP_URL, and that this machine may connect there');
  }
}

async function journalOf({ NATS_URL, NATS_MONITOR_URL: monitors }: Settings) {
  if (NATS_URL === '') return good('in the database');
  const servers = NATS_URL.split(',').map((url) => new URL(url));
  const findings = await Promise.all(servers.map(reach));
  const { unsafe, unknown } = await checkSync(monitors);
  if (unsafe.length > 0) findings.push(bad(unsafe.join('; '), 'see docs/scaling.md'));
  if (unknown.length > 0) findings.push(warning(unknown.join('; '), 'check NATS_MONITOR_URL'));
  findings.push(...(await Promise.all(monitors.map(natsClock))));
  return worst(findings);
}

/** Whether a server of NATS accepts connections. Without the credentials in the URL. */
function reach({ hostname, port }: URL): Promise<Omit<Finding, 'check'>> {
  const where = `${hostname}:${port || 4222}`;
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port || 4222), timeout: ANSWER_MS });
    const end = (finding: Omit<Finding, 'check'>): void => {
      socket.destroy();
      resolve(finding);
    };
    const toDo = 'check NATS_URL, and that the cluster runs';
    socket.once('connect', () => end(good(`${where} answers`)));
    socket.once('timeout', () => end(bad(`${where} does not answer`, toDo)));
    socket.once('error', ({ message }) => end(bad(`${where}: ${message}`, toDo)));
  });
}

async function natsClock(monitor: string): Promise<Omit<Finding, 'check'>> {
  try {
    const sentMs = Date.now();
    const signal = AbortSignal.timeout(ANSWER_MS);
    const answer = await fetch(new URL('/varz', monitor), { signal });
    const { now } = (await answer.json()) as { now: string };
    return compareClock(new URL(monitor).host, {
      clockMs: Date.parse(now),
      askedMs: (sentMs + Date.now()) / 2,
    });
  } catch {
    return warning(`${new URL(monitor).host} does not report its clock`, 'check NATS_MONITOR_URL');
  }
}

async function addressOf({ PLIMSOLL_PUBLIC_URL: url }: Settings): Promise<Omit<Finding, 'check'>> {
  if (url === '') return unused('PLIMSOLL_PUBLIC_URL is not set');
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const answer = await fetch(`${url.replace(/\/$/, '')}/health/live`, { signal });
    const { status } = (await answer.json()) as { status?: string };
    if (status === 'live') return good(`${url} leads to a server`);
    return warning(`${url} answers ${answer.status}`, 'see that the proxy leads to Plimsoll');
  } catch (error) {
    const { cause } = error instanceof Error ? error : new Error();
    const why = cause instanceof Error ? cause.message : 'no answer of Plimsoll';
    return warning(`${url}: ${why}`, 'start the server, and see that the proxy leads to it');
  }
}

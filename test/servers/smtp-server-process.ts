import { fork } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type {
  ReceivedMail,
  SmtpFault,
  SmtpServerMessage,
  SmtpServerOptions,
} from './smtp-server.ts';

export type { ReceivedMail, SmtpFault } from './smtp-server.ts';

/** Facts of a mail for the tests: its recipient, its id, and its source. */
export type SmtpServerProcess = {
  port: number;
  /** Connections so far. */
  attempts: () => number;
  mails: () => readonly ReceivedMail[];
  setFault: (fault: SmtpFault) => Promise<void>;
  /** Resolves when `count` mails have arrived. */
  received: (count: number) => Promise<void>;
  /** Resolves when `count` connections have been taken. */
  attempted: (count: number) => Promise<void>;
  /** As a power cut would. */
  stop: () => Promise<void>;
};

/** Starts smtp-server.ts in a process of its own; ends with the caller at the latest. */
export async function startSmtpServer(options: SmtpServerOptions = {}): Promise<SmtpServerProcess> {
  const child = fork(fileURLToPath(new URL('smtp-server.ts', import.meta.url)), [
    JSON.stringify(options),
  ]);
  const changes = new EventEmitter();
  const mails: ReceivedMail[] = [];
  let attempts = 0;
  let port = 0;
  child.on('message', (message: SmtpServerMessage) => {
    if ('listening' in message) port = message.listening;
    if ('received' in message) mails.push(message.received);
    if ('attempt' in message) attempts = message.attempt;
    changes.emit('change', message);
  });
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await once(changes, 'change');
  };
  await until(() => port !== 0);
  return {
    port,
    attempts: () => attempts,
    mails: () => mails,
    async setFault(fault) {
      const set = new Promise<void>((resolve) => {
        const listen = (message: SmtpServerMessage) => {
          if (!('faultSet' in message)) return;
          changes.off('change', listen);
          resolve();
        };
        changes.on('change', listen);
      });
      child.send(fault);
      await set;
    },
    received: (count) => until(() => mails.length >= count),
    attempted: (count) => until(() => attempts >= count),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}

/** The value of a header in a mail's source, unfolded; undefined when it is not there. */
export function headerOf(mail: ReceivedMail, name: string): string | undefined {
  const head = mail.source.split('\r\n\r\n', 1)[0] ?? '';
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
  const line = lines.find((text) => text.toLowerCase().startsWith(`${name.toLowerCase()}:`));
  return line?.slice(name.length + 1).trim();
}

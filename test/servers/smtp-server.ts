/**
 * A real SMTP server in a process of its own, with the faults that mail servers show. Forked by
 * smtp-server-process.ts; or by hand: node test/servers/smtp-server.ts '{"port":2525}', which
 * prints every mail that it accepts.
 */
import { readFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import type { Socket } from 'node:net';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';

export type SmtpFault =
  | { kind: 'none' }
  /** 451 to the first `times` attempts for each recipient. */
  | { kind: 'greylist'; times: number }
  /** The reply code to RCPT TO. */
  | { kind: 'refuseRecipient'; code: number }
  /** The reply code after the whole message. */
  | { kind: 'refuseMessage'; code: number }
  /** The connection ends inside the message: it did not arrive. */
  | { kind: 'cutMidMessage'; times: number }
  /**
   * The connection ends after the message instead of a reply: it arrived, without the sender's
   * knowledge.
   */
  | { kind: 'cutAfterMessage'; times: number }
  /** The message arrived and no reply ever comes. */
  | { kind: 'noReply' }
  /** The connection is taken, and nothing is said. */
  | { kind: 'silent' };

export type SmtpServerOptions = {
  port?: number;
  credentials?: { user: string; password: string };
  /** STARTTLS with the certificate of smtp-localhost.pem unless false. */
  startTls?: boolean;
};

export type ReceivedMail = {
  from: string;
  to: string[];
  source: string;
  encrypted: boolean;
  user: string | undefined;
};

export type SmtpServerMessage =
  | { listening: number }
  | { received: ReceivedMail }
  | { attempt: number }
  | { faultSet: true };

const options: SmtpServerOptions = JSON.parse(process.argv[2] ?? '{}');
const certificate = readFileSync(new URL('smtp-localhost.pem', import.meta.url), 'utf8');
const sockets = new Map<number, Socket>();
let fault: SmtpFault = { kind: 'none' };
let left = 0;
let attempts = 0;
const greylisted = new Map<string, number>();

function tell(message: SmtpServerMessage): void {
  if (process.send) process.send(message);
  else process.stdout.write(`${JSON.stringify(message)}\n`);
}

function reply(code: number): Error {
  return Object.assign(new Error('as the test asked'), { responseCode: code });
}

function cut(session: SMTPServerSession): void {
  sockets.get(session.remotePort)?.resetAndDestroy();
}

const server = new SMTPServer({
  key: certificate,
  cert: certificate,
  authOptional: options.credentials === undefined,
  disabledCommands: [
    ...(options.startTls === false ? ['STARTTLS'] : []),
    ...(options.credentials ? [] : ['AUTH']),
  ],
  disableReverseLookup: true,
  closeTimeout: 100,
  onConnect(_session, done) {
    attempts += 1;
    tell({ attempt: attempts });
    if (fault.kind !== 'silent') done();
  },
  onAuth(auth, _session, done) {
    const right =
      auth.username === options.credentials?.user &&
      auth.password === options.credentials?.password;
    if (right) done(null, { user: auth.username });
    else done(reply(535));
  },
  onRcptTo({ address }, _session, done) {
    if (fault.kind === 'refuseRecipient') return done(reply(fault.code));
    if (fault.kind === 'greylist') {
      const seen = greylisted.get(address) ?? 0;
      greylisted.set(address, seen + 1);
      if (seen < fault.times) return done(reply(451));
    }
    done();
  },
  onData(stream, session, done) {
    const chunks: Buffer[] = [];
    let lost = false;
    stream.on('data', (chunk: Buffer) => {
      if (fault.kind === 'cutMidMessage' && left > 0) {
        left -= 1;
        lost = true;
        cut(session);
      } else chunks.push(chunk);
    });
    stream.on('end', () => {
      // A short message is all in one chunk: its end may still come, to no one.
      if (lost) return;
      if (fault.kind === 'refuseMessage') return done(reply(fault.code));
      tell({
        received: {
          from: session.envelope.mailFrom ? session.envelope.mailFrom.address : '',
          to: session.envelope.rcptTo.map(({ address }) => address),
          source: Buffer.concat(chunks).toString('utf8'),
          encrypted: session.secure,
          user: session.user,
        },
      });
      if (fault.kind === 'noReply') return;
      if (fault.kind === 'cutAfterMessage' && left > 0) {
        left -= 1;
        return cut(session);
      }
      done();
    });
  },
});
// A client that goes away mid-handshake is part of the tests.
server.on('error', () => {});
server.server.on('connection', (socket: Socket) => {
  const port = socket.remotePort ?? 0;
  sockets.set(port, socket);
  socket.on('close', () => sockets.delete(port));
});
process.on('message', (next: SmtpFault) => {
  fault = next;
  left = 'times' in next ? next.times : 0;
  greylisted.clear();
  tell({ faultSet: true });
});
process.on('disconnect', () => process.exit());
server.listen(options.port ?? 0, '127.0.0.1', () => {
  const address = server.server.address();
  tell({ listening: typeof address === 'object' && address ? address.port : 0 });
  // Not at its end, which is a SIGKILL: the next one starts in half the time.
  flushCompileCache();
});

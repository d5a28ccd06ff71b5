import { createTransport, type NodemailerError } from 'nodemailer';
import { isMailAddress, type Mail, singleLine } from '../domain/mail.ts';
import type { Sender, SendOutcome } from './mail-sender.ts';
import type { MailFrom, SmtpSettings } from './smtp-settings.ts';

const CONNECTION_TIMEOUT_MS = 10_000;
const SOCKET_TIMEOUT_MS = 30_000;
const MAX_RESPONSE_LENGTH = 500;

/** Replies about our own credentials (RFC 4954 section 6): the operator's fault, not the mail's. */
const AUTHENTICATION_REPLIES = new Set([530, 534, 535, 538]);

/** Sends over SMTP, one connection per mail. */
export function createSmtpSender(server: SmtpSettings, from: MailFrom): Sender {
  const transport = transportTo(server);
  return {
    async send(mail, signal) {
      if (!isMailAddress(mail.to)) return { outcome: 'refused', error: 'not a mail address' };
      try {
        const info = await transport.sendMail({ ...compose(mail, from), signal });
        return { outcome: 'sent', response: singleLine(info.response, MAX_RESPONSE_LENGTH) };
      } catch (error) {
        return failed(error);
      }
    },
  };
}

/** Connects and logs in. Throws an error with the reason if that fails. */
export async function reachSmtp(server: SmtpSettings): Promise<void> {
  const transport = transportTo(server);
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

const transportTo = (server: SmtpSettings) =>
  createTransport({
    host: server.host,
    port: server.port,
    secure: server.secure,
    requireTLS: !server.secure && server.startTls === 'required',
    ignoreTLS: server.startTls === 'never',
    tls: { rejectUnauthorized: server.verifyCertificate },
    ...(server.credentials && {
      auth: { user: server.credentials.user, pass: server.credentials.password },
    }),
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    greetingTimeout: CONNECTION_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });

function compose(mail: Mail, from: MailFrom) {
  return {
    from,
    to: { name: '', address: mail.to },
    subject: singleLine(mail.subject, 200),
    text: mail.text,
    html: mail.html,
    messageId: mail.messageId,
    // RFC 3834: prevents vacation responders from answering.
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

/** Only a permanent reply to the mail itself refuses it; everything else may succeed next time. */
function failed(error: unknown): SendOutcome {
  const failure: NodemailerError = error instanceof Error ? error : new Error(String(error));
  const aboutMail = failure.code === 'EENVELOPE' || failure.code === 'EMESSAGE';
  const permanent =
    failure.permanent ?? (failure.command === 'API' || failure.command === 'MAIL FROM');
  const credentials = AUTHENTICATION_REPLIES.has(failure.responseCode ?? 0);
  return {
    outcome: aboutMail && permanent && !credentials ? 'refused' : 'deferred',
    error: singleLine(failure.message, MAX_RESPONSE_LENGTH),
  };
}

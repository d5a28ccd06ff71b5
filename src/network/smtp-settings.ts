import { isMailAddress } from '../domain/mail.ts';

export type SmtpSettings = {
  host: string;
  port: number;
  /** TLS from the first byte (smtps). */
  secure: boolean;
  /** Whether a plain connection must be upgraded by STARTTLS, may be, or must not be. */
  startTls: 'required' | 'whenOffered' | 'never';
  /** Whether the server's certificate must be trusted. */
  verifyCertificate: boolean;
  credentials: { user: string; password: string } | undefined;
};

const OPTIONS = ['ignoreTLS', 'requireTLS', 'rejectUnauthorized'];

/**
 * Reads `smtp://user:password@host:port` (STARTTLS) or `smtps://…` (TLS), with the options
 * `ignoreTLS=true` (never STARTTLS), `requireTLS=true` and `rejectUnauthorized=false` (any
 * certificate). STARTTLS with a trusted certificate is required; only a server on this very machine
 * may do without, unless `requireTLS=true`. Throws an Error whose message continues "SMTP_URL must
 * …" and quotes nothing of the URL, since that may contain a password.
 */
export function parseSmtpUrl(text: string): SmtpSettings {
  const url = URL.parse(text);
  if (!url) throw new Error('be a URL like smtp://user:password@host:587');
  if (url.protocol !== 'smtp:' && url.protocol !== 'smtps:')
    throw new Error('start with smtp:// or smtps://');
  if (url.hostname === '') throw new Error('name a host');
  const secure = url.protocol === 'smtps:';
  const options = readOptions(url.searchParams);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const strict = options.requireTLS ?? !isLoopback(host);
  return {
    host,
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    startTls: options.ignoreTLS ? 'never' : strict ? 'required' : 'whenOffered',
    verifyCertificate: options.rejectUnauthorized ?? strict,
    credentials:
      url.username === ''
        ? undefined
        : { user: decoded(url.username), password: decoded(url.password) },
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('write % in user and password as %25');
  }
}

type Options = { ignoreTLS?: boolean; requireTLS?: boolean; rejectUnauthorized?: boolean };

function readOptions(parameters: URLSearchParams): Options {
  const options: Record<string, boolean> = {};
  for (const [name, value] of parameters) {
    if (!OPTIONS.includes(name)) throw new Error(`have no option but ${OPTIONS.join(', ')}`);
    if (value !== 'true' && value !== 'false') throw new Error(`say ${name}=true or ${name}=false`);
    options[name] = value === 'true';
  }
  if (options.ignoreTLS && options.requireTLS)
    throw new Error('not ignore and require TLS at once');
  return options;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

export type MailFrom = { name: string; address: string };

/** Reads `Name <address>` or a bare address; its error continues "MAIL_FROM must …". */
export function parseMailFrom(text: string): MailFrom {
  const match = /^(?:\s*"?([^"<>\p{Cc}]{0,200}?)"?\s*<([^<>]+)>|([^<>]+))\s*$/u.exec(text);
  const address = (match?.[2] ?? match?.[3] ?? '').trim();
  if (!isMailAddress(address)) throw new Error('be an address like Plimsoll <mail@example.com>');
  return { name: match?.[1] ?? '', address };
}

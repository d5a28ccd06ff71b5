import type { Mail } from '../domain/mail.ts';

/**
 * What became of one attempt. `deferred` may succeed later (the server is away, busy or asks to
 * come again); `refused` never will (the server said so for this mail).
 */
export type SendOutcome =
  | { outcome: 'sent'; response: string }
  | { outcome: 'logged'; response: string }
  | { outcome: 'deferred'; error: string }
  | { outcome: 'refused'; error: string };

export interface Sender {
  /** Never throws. An aborted attempt is deferred: nobody knows whether it arrived. */
  send(mail: Mail, signal: AbortSignal): Promise<SendOutcome>;
}

/** The part of a pino logger that mail needs. */
export interface MailLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

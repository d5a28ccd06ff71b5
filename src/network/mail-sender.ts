import type { Mail } from '../domain/mail.ts';

/**
 * The outcome of one attempt. `deferred` may succeed later (the server is away, busy or asks for a
 * retry); `refused` never will (the server said so for this mail).
 */
export type SendOutcome =
  | { outcome: 'sent'; response: string }
  | { outcome: 'logged'; response: string }
  | { outcome: 'deferred'; error: string }
  | { outcome: 'refused'; error: string };

export interface Sender {
  /** Never throws. An aborted attempt is deferred: whether it arrived is unknown. */
  send(mail: Mail, signal: AbortSignal): Promise<SendOutcome>;
}

/** The part of a pino logger that mail needs. */
export interface MailLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

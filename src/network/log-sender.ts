import type { MailLog, Sender } from './mail-sender.ts';

/** For an installation without SMTP_URL: the mail goes to the log, and stays in the outbox. */
export function createLogSender(log: MailLog): Sender {
  return {
    async send(mail) {
      const { messageId, to, subject, text } = mail;
      log.info({ messageId, to, subject, text }, 'Mail, not sent because SMTP_URL is not set');
      return { outcome: 'logged', response: 'written to the log' };
    },
  };
}

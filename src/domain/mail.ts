/** A mail to one person. Sent again, it has the same Message-ID. */
export type Mail = {
  /** With its angle brackets, as RFC 5322 section 3.6.4 writes it. */
  messageId: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** It has a one-time code: its text is kept until it is sent or given up, and shown nowhere. */
  isSecret?: boolean;
};

const ADDRESS = /^[^\s@<>()[\]\\,;:"\p{Cc}]{1,64}@[^\s@<>()[\]\\,;:"\p{Cc}]{1,255}$/u;

/** Whether the text is one plain address, with nothing that ends a header or a command. */
export function isMailAddress(text: string): boolean {
  return ADDRESS.test(text);
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

/** Text that is safe inside one header or one log line: control characters become spaces. */
export function singleLine(text: string, maxLength: number): string {
  return text
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, maxLength);
}

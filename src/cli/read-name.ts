import { InvalidArgumentError } from 'commander';
import { isEmailAddress } from '../contract/primitives.ts';
import { FORMATS } from '../services/formats.ts';

/** Of a command's options: an e-mail address as operations take it. */
export function readEmail(text: string): string {
  const { holds, expected } = FORMATS['email-address'];
  if (isEmailAddress(text) && holds(text)) return text;
  throw new InvalidArgumentError(`It ${expected}, for example ana@example.com.`);
}

/** The name of a person. */
export function readName(text: string): string {
  const { holds, expected } = FORMATS.name;
  if (text.length > 0 && text.length <= MAX_NAME && holds(text)) return text;
  throw new InvalidArgumentError(`It ${expected}.`);
}

const MAX_NAME = 100;

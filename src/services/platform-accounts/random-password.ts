import { randomInt } from 'node:crypto';

/** Four classes without characters that are easily confused or need escaping. */
const CLASSES = ['abcdefghijkmnpqrstuvwxyz', 'ABCDEFGHJKLMNPQRSTUVWXYZ', '23456789', '!#$*+-.=?@_'];
const ALL = CLASSES.join('');
/** Access servers require 8 to 16 characters; 14 of these have about 80 bits. */
const LENGTH = 14;

/** A random password with at least one character of each class. */
export function randomPassword(): string {
  const characters = CLASSES.map(pick);
  while (characters.length < LENGTH) characters.push(pick(ALL));
  // Fisher-Yates, so that the classes have no fixed places.
  for (let last = characters.length - 1; last > 0; last -= 1) {
    const other = randomInt(last + 1);
    const moved = characters[last] ?? '';
    characters[last] = characters[other] ?? '';
    characters[other] = moved;
  }
  return characters.join('');
}

const pick = (from: string): string => from.charAt(randomInt(from.length));

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Principal } from './context.ts';
import { Places } from './places.ts';

const principal = (userId: string, tokenId: string): Principal => ({
  userId,
  tokenId,
  scopes: new Set(),
  accountNumbers: undefined,
});
const [ana, anasOther, bob] = [
  principal('ana', 'a1'),
  principal('ana', 'a2'),
  principal('bob', 'b'),
];
const refused = (code: string, message: RegExp) => ({ code, message, retryAfterSeconds: 3 });

test('a token and a user get their shares and no more, while others have theirs', () => {
  const places = new Places('streams', { process: 6, user: 3, token: 2 }, 3);
  const first = places.take(ana);
  places.take(ana);
  assert.throws(
    () => places.take(ana),
    refused('tooManyRequests', /limit of 2 streams for one token/),
  );
  places.take(anasOther);
  assert.throws(
    () => places.take(anasOther),
    refused('tooManyRequests', /limit of 3 streams for one user/),
  );
  places.take(bob);
  assert.equal(places.taken, 4);
  first();
  places.take(anasOther);
});

test('all must retry when the process has no place left', () => {
  const places = new Places('bytes', { process: 100, user: 80, token: 60 }, 3);
  const back = places.take(ana, 60);
  places.take(bob, 40);
  assert.throws(() => places.take(principal('carl', 'c'), 1), refused('unavailable', /bytes/));
  back();
  places.take(principal('carl', 'c'), 60);
});

test('a place is given back once, and users without places are forgotten', () => {
  const places = new Places('streams', { process: 2, user: 2, token: 2 }, 3);
  const back = places.take(ana);
  places.take(bob);
  back();
  back();
  assert.equal(places.taken, 1);
  assert.doesNotThrow(() => places.take(ana));
  assert.throws(() => places.take(ana));
});

test('a refused request takes nothing', () => {
  const places = new Places('streams', { process: 9, user: 9, token: 1 }, 3);
  places.take(ana);
  for (let tries = 0; tries < 20; tries += 1) assert.throws(() => places.take(ana));
  assert.equal(places.taken, 1);
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { needs } from '../needs.ts';
import { Client, startOn } from '../servers/plimsoll-process.ts';

needs('server');

it('takes any bootstrap token, and warns of a short one', async (t) => {
  const short = 'made-up-by-hand';
  const running = await startOn('sqlite', { PLIMSOLL_ADMIN_TOKEN: short, LOG_LEVEL: 'warn' });
  t.after(() => running.close());
  const { server } = running;
  const { status } = await new Client(server.address, short).get('/admin/users');
  assert.equal(status, 200);
  const warnings = server.log().split('\n');
  assert.equal(warnings.filter((line) => line.includes('PLIMSOLL_ADMIN_TOKEN')).length, 1);
  assert.ok(!server.log().includes(short));
});

import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { needs } from '../../../test/needs.ts';
import { silent, testContext } from '../../../test/servers/test-context.ts';
import { openTestDatabase } from '../../../test/servers/test-databases.ts';
import { TestTime } from '../../../test/servers/test-time.ts';
import { untilPassed } from '../../../test/servers/until.ts';
import { newAccount } from '../../../test/storage-contract/fixture.ts';
import { eventOf, ownPartition } from '../../../test/storage-contract/live-fixture.ts';
import type { Principal } from '../../services/context.ts';
import { type EventMailChoice, setEventMail } from '../../services/event-mail/set-event-mail.ts';
import type { Database } from '../../storage/database.ts';
import { findEventMail } from '../../storage/event-mail-store.ts';
import { readLastNumber } from '../../storage/event-number-store.ts';
import { storeEvents } from '../../storage/event-store.ts';
import { listMailRows, type StoredMail } from '../../storage/mail-store.ts';
import { insertUser } from '../../storage/user-store.ts';
import { EventMailer } from './event-mailer.ts';

needs('postgres');

const SECOND = 1000;

/** A user for whom a test makes breaches and warnings, at noon. */
async function openWorld(t: TestContext, kind: Database['kind']) {
  const stored = await openTestDatabase(kind);
  const { database } = stored;
  const time = new TestTime(Date.UTC(2026, 2, 2, 12));
  const { number, userId } = await newAccount(database, { name: '<b>Ada' });
  const logged: object[] = [];
  const logger = { ...silent, error: (fields: object) => void logged.push(fields) };
  const context = await testContext(database, { now: () => time.now(), logger });
  const mailer = new EventMailer(context, 'example.com', time);
  const principal: Principal = {
    ...{ userId, tokenId: 't', scopes: new Set<never>(), accountNumbers: undefined },
  };
  t.after(async () => {
    await mailer.stop();
    await stored.close();
  });
  mailer.start();
  const { partition, epoch } = await ownPartition(database);
  let happened = 0;
  const happens = async (...words: ('breach' | 'warning')[]): Promise<void> => {
    const events = words.map((word) => {
      happened += 1;
      const warnAt = word === 'warning' ? { warnAt: 0.8 } : {};
      return eventOf(number, { startTimeMs: happened, position: happened, ...warnAt });
    });
    await storeEvents(database, partition, epoch, events, 0);
  };
  const wants = (choice: EventMailChoice): Promise<void> =>
    setEventMail(context, principal, choice);
  const mails = async (): Promise<StoredMail[]> => listMailRows(database, undefined, 100, 0);
  /** Lets time pass until all events were considered for one of the deliveries. */
  const looked = (of: 'breachesNumber' | 'warningsNumber'): Promise<void> =>
    untilPassed(
      () => time.pass(SECOND),
      async () => {
        const found = await findEventMail(database, userId);
        return found?.[of] === (await readLastNumber(database));
      },
      of,
    );
  /** Another user has an event that cannot be read, and comes before all others. */
  const damages = async (): Promise<string> => {
    const damaged = '0';
    const email = 'first@example.com';
    await insertUser(database, { id: damaged, email, name: null, createdAtMs: 1 });
    const other = await newAccount(database, { userId: damaged });
    await setEventMail(
      context,
      { ...principal, userId: damaged },
      { breaches: 'immediate', warnings: 'off' },
    );
    await storeEvents(database, partition, epoch, [eventOf(other.number)], 0);
    const where = 'where account_number = $1';
    await database.run(`update tracker_event set record = '{' ${where}`, [other.number]);
    return damaged;
  };
  return { time, happens, wants, mails, looked, damages, logged };
}

const linesOf = ({ text }: StoredMail): number => text.match(/\(event \d+\)/g)?.length ?? 0;

for (const kind of ['sqlite', 'postgres'] as const) {
  it(`mails wanted events at once, and none from before, on ${kind}`, async (t) => {
    const { happens, wants, mails, looked } = await openWorld(t, kind);
    await happens('breach');
    await wants({ breaches: 'immediate', warnings: 'off' });
    await happens('warning', 'breach');
    await looked('breachesNumber');
    const [mail, ...others] = await mails();
    assert.deepEqual(others, []);
    assert.ok(mail);
    assert.match(mail.subject, /^Limit broken: <b>Ada/);
    assert.equal(linesOf(mail), 1);
    assert.match(mail.html, /&lt;b&gt;Ada/);
    assert.match(mail.messageId, /^<.*@example\.com>$/);
  });

  it(`mails other users' events while one cannot be read, and says whose, on ${kind}`, async (t) => {
    const { happens, wants, mails, looked, damages, logged } = await openWorld(t, kind);
    await wants({ breaches: 'immediate', warnings: 'off' });
    const damaged = await damages();
    await happens('breach');
    await looked('breachesNumber');
    assert.deepEqual((await mails()).map(linesOf), [1]);
    assert.ok(logged.some((fields) => 'userId' in fields && fields.userId === damaged));
  });

  it(`mails each event once however its mailing changes, on ${kind}`, async (t) => {
    const { time, happens, wants, mails, looked } = await openWorld(t, kind);
    await wants({ breaches: 'digest', warnings: 'off' });
    await happens('breach');
    await wants({ breaches: 'immediate', warnings: 'digest' });
    await looked('breachesNumber');
    assert.deepEqual((await mails()).map(linesOf), [1], 'it was not mailed before');
    await happens('warning');
    await wants({ breaches: 'digest', warnings: 'digest' });
    time.setClock(Date.UTC(2026, 2, 3));
    await looked('warningsNumber');
    const both = await mails();
    assert.deepEqual(both.map(linesOf), [1, 1], 'the breach was mailed before');
    assert.ok(both.some(({ subject }) => subject.startsWith('Your day: ')));
  });

  it(`joins events within a minute of a mail, on ${kind}`, async (t) => {
    const { happens, wants, mails, looked } = await openWorld(t, kind);
    await wants({ breaches: 'immediate', warnings: 'immediate' });
    await happens('warning');
    await looked('breachesNumber');
    await happens('breach', 'breach');
    await happens('warning');
    await looked('breachesNumber');
    const sent = await mails();
    const [latestMs = 0, firstMs = 0] = sent.map(({ queuedAtMs }) => queuedAtMs);
    assert.ok(latestMs - firstMs >= 60 * SECOND, `${latestMs - firstMs} ms`);
    assert.deepEqual(sent.map(linesOf).sort(), [1, 3]);
    assert.ok(sent.some(({ subject }) => subject === '3 events, 2 of them broken limits'));
  });

  it(`sends a digest after midnight, on ${kind}`, async (t) => {
    const { time, happens, wants, mails, looked } = await openWorld(t, kind);
    await wants({ breaches: 'digest', warnings: 'digest' });
    await happens('breach', 'warning');
    time.setClock(Date.UTC(2026, 2, 2, 23, 59, 50));
    await time.pass(5 * SECOND);
    assert.deepEqual(await mails(), []);
    await looked('breachesNumber');
    const [mail, ...others] = await mails();
    assert.deepEqual(others, []);
    assert.equal(mail?.subject, 'Your day: 2 events, 1 of them broken limits');
    await happens('warning');
    await time.pass(5 * SECOND);
    assert.equal((await mails()).length, 1);
  });
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createMemoryOutbox } from '../../../test/servers/memory-outbox.ts';
import { headerOf, startSmtpServer } from '../../../test/servers/smtp-server-process.ts';
import type { Mail } from '../../domain/mail.ts';
import { createLogSender } from '../../network/log-sender.ts';
import type { Sender, SendOutcome } from '../../network/mail-sender.ts';
import { createSmtpSender } from '../../network/smtp-sender.ts';
import { parseSmtpUrl } from '../../network/smtp-settings.ts';
import { type OutboxOptions, runMailOutbox, type TakenMail } from './outbox.ts';
import { MAX_AGE_MS } from './retry.ts';

const FROM = { name: '', address: 'plimsoll@example.com' };

function mailTo(to: string): Mail {
  return { messageId: `<${to}>`, to, subject: 'Quotas', text: 'text', html: '<p>html</p>' };
}

/** A clock that moves while the loop only sleeps, so that hours of retries take no time. */
function setUp(sender: Sender) {
  const store = createMemoryOutbox();
  const clock = { nowMs: 1_000_000 };
  const stop = new AbortController();
  const log: string[] = [];
  const note = (fields: object, message: string) =>
    void log.push(`${message} ${JSON.stringify(fields)}`);
  const options: OutboxOptions = {
    store,
    sender,
    log: { info: note, warn: note },
    now: () => clock.nowMs,
    random: () => 0,
    async sleep(ms, signal) {
      await turn();
      if (!signal.aborted && store.taken.size === 0) clock.nowMs += ms;
    },
    signal: stop.signal,
  };
  return {
    store,
    clock,
    stop,
    log,
    options,
    queue: (mail: Mail) => store.queue(mail, clock.nowMs),
  };
}

/** Answers the attempts of every mail from a list, the last one for ever. */
function scripted(...outcomes: SendOutcome[]) {
  const attempts = new Map<string, number>();
  const sender: Sender = {
    async send(mail) {
      const count = (attempts.get(mail.to) ?? 0) + 1;
      attempts.set(mail.to, count);
      return outcomes[Math.min(count, outcomes.length) - 1] ?? { outcome: 'sent', response: '' };
    },
  };
  return { sender, attempts };
}

const SENT: SendOutcome = { outcome: 'sent', response: '250 ok' };
const DEFERRED: SendOutcome = { outcome: 'deferred', error: '451 later' };
const REFUSED: SendOutcome = { outcome: 'refused', error: '550 nobody' };

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await turn();
}

test('every queued mail is sent once and marked', async () => {
  const { sender, attempts } = scripted(SENT);
  const { store, options, stop, queue } = setUp(sender);
  for (let n = 0; n < 20; n++) queue(mailTo(`trader${n}@example.com`));
  const running = runMailOutbox(options);
  await until(() => store.mails.every((mail) => mail.state === 'sent'));
  stop.abort();
  await running;
  assert.deepEqual([...attempts.values()], Array(20).fill(1));
});

test('a deferred mail waits its delay and is sent', async () => {
  const { sender } = scripted(DEFERRED, DEFERRED, SENT);
  const { store, clock, options, stop, queue } = setUp(sender);
  const startMs = clock.nowMs;
  const mail = queue(mailTo('trader@example.com'));
  const running = runMailOutbox(options);
  await until(() => mail.state === 'sent');
  stop.abort();
  await running;
  assert.ok(clock.nowMs - startMs >= 2_000 + 4_000);
  assert.equal(store.mails[0]?.attempt, 3);
});

test('a mail deferred for too long is given up after the stated age, and the log says so', async () => {
  const { sender } = scripted(DEFERRED);
  const { clock, options, stop, queue, log } = setUp(sender);
  const mail = queue(mailTo('trader@example.com'));
  mail.queuedMs -= MAX_AGE_MS - 60_000;
  const running = runMailOutbox(options);
  await until(() => mail.state === 'failed');
  stop.abort();
  await running;
  assert.ok(clock.nowMs - mail.queuedMs >= MAX_AGE_MS);
  assert.ok(mail.attempt > 1);
  assert.equal(mail.error, '451 later');
  assert.ok(log.some((line) => line.startsWith('Mail given up') && line.includes('451 later')));
});

test('a refused mail is given up at once and blocks no other', async () => {
  const sender: Sender = {
    send: async (mail) => (mail.to.startsWith('nobody') ? REFUSED : SENT),
  };
  const { store, options, stop, queue } = setUp(sender);
  queue(mailTo('nobody@example.com'));
  queue(mailTo('trader@example.com'));
  const running = runMailOutbox(options);
  await until(() => store.mails.every((mail) => mail.state !== 'queued'));
  stop.abort();
  await running;
  assert.deepEqual(
    store.mails.map(({ state, attempt }) => [state, attempt]),
    [
      ['failed', 1],
      ['sent', 1],
    ],
  );
});

test('at most four are sent at a time', async () => {
  let running = 0;
  let most = 0;
  const sender: Sender = {
    async send() {
      running += 1;
      most = Math.max(most, running);
      await turn();
      running -= 1;
      return SENT;
    },
  };
  const { store, options, stop, queue } = setUp(sender);
  for (let n = 0; n < 30; n++) queue(mailTo(`trader${n}@example.com`));
  const loop = runMailOutbox(options);
  await until(() => store.mails.every((mail) => mail.state === 'sent'));
  stop.abort();
  await loop;
  assert.equal(most, 4);
});

test('an idle loop sleeps between two checks', async () => {
  const { store, options, stop } = setUp(scripted(SENT).sender);
  const naps: number[] = [];
  const nap = options.sleep;
  const loop = runMailOutbox({
    ...options,
    async sleep(ms, signal) {
      naps.push(ms);
      if (naps.length === 5) stop.abort();
      await nap(ms, signal);
    },
  });
  await loop;
  assert.deepEqual(naps, Array(5).fill(2_000));
  assert.equal(store.mails.length, 0);
});

test('an unavailable database is asked again, ever more slowly, and the loop continues', async () => {
  const { store, options, stop, queue } = setUp(scripted(SENT).sender);
  const mail = queue(mailTo('trader@example.com'));
  const naps: number[] = [];
  const loop = runMailOutbox({
    ...options,
    store: {
      ...store,
      take(limit, nowMs, sending) {
        if (naps.length < 6) throw new Error('the database is away');
        return store.take(limit, nowMs, sending);
      },
    },
    async sleep(ms, signal) {
      naps.push(ms);
      await options.sleep(ms, signal);
    },
  });
  await until(() => mail.state === 'sent');
  stop.abort();
  await loop;
  assert.deepEqual(naps.slice(0, 6), [4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
});

test('a mail whose outcome could not be stored becomes due again', async () => {
  const { sender, attempts } = scripted(SENT);
  const { store, options, stop, queue } = setUp(sender);
  const mail = queue(mailTo('trader@example.com'));
  let broken = true;
  const loop = runMailOutbox({
    ...options,
    store: {
      ...store,
      async complete(mail, state, nowMs, response) {
        if (broken) {
          broken = false;
          await store.retry(mail, nowMs, 'not stored');
          throw new Error('the database is away');
        }
        await store.complete(mail, state, nowMs, response);
      },
    },
  });
  await until(() => mail.state === 'sent');
  stop.abort();
  await loop;
  assert.equal(attempts.get(mail.to), 2);
});

test('stopping waits for the mail being sent', async () => {
  let finish: (outcome: SendOutcome) => void = () => {};
  let begun = false;
  const sender: Sender = {
    send: () => {
      begun = true;
      return new Promise((resolve) => {
        finish = resolve;
      });
    },
  };
  const { options, stop, queue } = setUp(sender);
  const mail = queue(mailTo('trader@example.com'));
  const loop = runMailOutbox(options);
  await until(() => begun);
  stop.abort();
  await turn();
  finish(SENT);
  await loop;
  assert.equal(mail.state, 'sent');
});

test('without SMTP the mail is in the log, and kept as logged', async () => {
  const lines: object[] = [];
  const note = (fields: object) => void lines.push(fields);
  const { options, stop, queue } = setUp(createLogSender({ info: note, warn: note }));
  const mail = queue(mailTo('trader@example.com'));
  const loop = runMailOutbox(options);
  await until(() => mail.state === 'logged');
  stop.abort();
  await loop;
  assert.deepEqual(lines, [
    { messageId: mail.messageId, to: mail.to, subject: mail.subject, text: mail.text },
  ]);
});

test('through every fault of a real server every mail arrives with its one Message-ID', async () => {
  const server = await startSmtpServer();
  try {
    const smtp = createSmtpSender(parseSmtpUrl(`smtp://127.0.0.1:${server.port}`), FROM);
    const { store, options, stop, queue } = setUp(smtp);
    const loop = runMailOutbox(options);
    const faults = [
      { kind: 'greylist', times: 3 },
      { kind: 'refuseMessage', code: 452 },
      { kind: 'cutMidMessage', times: 5 },
      { kind: 'cutAfterMessage', times: 5 },
    ] as const;
    const sent: TakenMail[] = [];
    for (const [round, fault] of faults.entries()) {
      await server.setFault(fault);
      const before = server.attempts();
      for (let n = 0; n < 5; n++) sent.push(queue(mailTo(`trader${round}-${n}@example.com`)));
      await server.attempted(before + 5);
      if (fault.kind === 'refuseMessage') await server.setFault({ kind: 'none' });
      await until(() => store.mails.every((mail) => mail.state === 'sent'));
    }
    stop.abort();
    await loop;
    const ids = new Set(server.mails().map((mail) => headerOf(mail, 'Message-ID')));
    assert.deepEqual(ids, new Set(sent.map((mail) => mail.messageId)));
    for (const mail of server.mails())
      assert.equal(headerOf(mail, 'Message-ID'), `<${mail.to[0]}>`);
  } finally {
    await server.stop();
  }
});

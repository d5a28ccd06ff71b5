import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Database } from '../../src/storage/database.ts';
import { listMailRows, queueMail } from '../../src/storage/mail-store.ts';
import { needs, testedOn } from '../needs.ts';
import { headerOf, startSmtpServer } from '../servers/smtp-server-process.ts';
import { openTestDatabase, type TestDatabase } from '../servers/test-databases.ts';

needs('postgres');

const COUNT = 40;
const SENDER = fileURLToPath(new URL('../servers/mail-sender.ts', import.meta.url));

function startSender(opened: TestDatabase, port: number): ChildProcess {
  return fork(SENDER, [String(port)], {
    env: { ...process.env, ...opened.environment },
  });
}

async function kill(sender: ChildProcess): Promise<void> {
  const gone = once(sender, 'exit');
  sender.kill('SIGKILL');
  await gone;
}

async function queueSome(database: Database, count: number): Promise<Set<string>> {
  const messageIds = new Set<string>();
  for (let n = 0; n < count; n++) {
    const id = randomUUID();
    const messageId = `<${id}@example.com>`;
    const to = `trader${n}@example.com`;
    const mail = { messageId, to, subject: 'Quotas', text: 'text', html: '<p>html</p>' };
    await queueMail(database, id, mail, Date.now());
    messageIds.add(messageId);
  }
  return messageIds;
}

/** Asks the database, as the sender is another process without notifications. */
async function untilAllSent(database: Database): Promise<void> {
  while ((await listMailRows(database, 'queued', 1, 0)).length > 0) await wait(20);
}

for (const kind of testedOn()) {
  describe(`a sender killed on ${kind}`, () => {
    test('between sending and marking: the mail comes again with the same Message-ID', async () => {
      const opened = await openTestDatabase(kind);
      const server = await startSmtpServer();
      try {
        const [messageId] = await queueSome(opened.database, 1);
        await server.setFault({ kind: 'noReply' });
        const sender = startSender(opened, server.port);
        await server.received(1);
        await kill(sender);
        await server.setFault({ kind: 'none' });
        const next = startSender(opened, server.port);
        await untilAllSent(opened.database);
        await kill(next);
        const ids = server.mails().map((mail) => headerOf(mail, 'Message-ID'));
        assert.deepEqual(ids, [messageId, messageId]);
      } finally {
        await server.stop();
        await opened.close();
      }
    });

    test('repeatedly while it sends: every mail arrives, under its one Message-ID', async () => {
      const opened = await openTestDatabase(kind);
      const server = await startSmtpServer();
      try {
        const messageIds = await queueSome(opened.database, COUNT);
        for (let round = 0; round < 5; round++) {
          const sender = startSender(opened, server.port);
          await server.received(Math.min(server.mails().length + 4, COUNT));
          await kill(sender);
        }
        const last = startSender(opened, server.port);
        await untilAllSent(opened.database);
        await kill(last);
        const arrived = server.mails().map((mail) => headerOf(mail, 'Message-ID') ?? '');
        assert.deepEqual(new Set(arrived), messageIds);
      } finally {
        await server.stop();
        await opened.close();
      }
    });
  });
}

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TestTime } from '../../../test/servers/test-time.ts';
import { Publisher } from './publisher.ts';
import { JournalUnavailable, type Stream } from './stream.ts';

const BODY = Uint8Array.of(1);

type Try = { id: string; answer: (sequence: number | Error) => void };

/** A stream whose answers come from the test. */
class ScriptedStream implements Stream {
  readonly identity = 'scripted';
  readonly maxBytes = 1000;
  readonly tries: Try[] = [];

  publish(id: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const answer = (sequence: number | Error): void => {
        if (sequence instanceof Error) reject(sequence);
        else resolve(sequence);
      };
      this.tries.push({ id, answer });
    });
  }

  /** Answers the last try. */
  async answer(sequence: number | Error): Promise<void> {
    this.tries.at(-1)?.answer(sequence);
    await new Promise(setImmediate);
  }

  get ids(): string[] {
    return this.tries.map(({ id }) => id);
  }

  readonly next = async () => undefined;
  readonly get = async () => undefined;
  readonly state = async () => ({ first: 1, last: 0 });
  readonly purge = async () => {};
  readonly announce = () => {};
  readonly onNews = () => {};
  readonly close = async () => {};
}

function open() {
  const stream = new ScriptedStream();
  const time = new TestTime();
  const mark = (): Promise<number> => publisher.append(Uint8Array.of());
  const publisher = new Publisher({ stream, time, origin: 'me', mark });
  return { stream, time, publisher };
}

const away = () => new JournalUnavailable('away');
const turn = () => new Promise(setImmediate);

describe('Publisher', () => {
  it('sends one message at a time, and retries it before the next', async () => {
    const { stream, time, publisher } = open();
    const first = publisher.append(BODY);
    const second = publisher.append(BODY);
    await turn();
    assert.deepEqual(stream.ids, ['me-1']);
    await stream.answer(away());
    await time.pass(200);
    assert.deepEqual(stream.ids, ['me-1', 'me-1']);
    await stream.answer(5);
    assert.equal(await first, 5);
    await turn();
    assert.deepEqual(stream.ids, ['me-1', 'me-1', 'me-2']);
    await stream.answer(6);
    assert.equal(await second, 6);
  });

  it('gives up after seconds, its turn included, and never tries that message again', async () => {
    const { stream, time, publisher } = open();
    const failures: unknown[] = [];
    for (let n = 0; n < 2; n += 1) {
      publisher.append(BODY).catch((error: unknown) => failures.push(error));
    }
    await turn();
    // The second has hardly any time left when the first is given up.
    while (failures.length < 2) {
      await stream.answer(away());
      await time.pass(50);
    }
    assert.ok(failures.every((failure) => failure instanceof JournalUnavailable));
    assert.ok(time.elapsed() <= 5000, `${time.elapsed()} ms`);
    const tries = stream.tries.length;
    await time.pass(60_000);
    assert.equal(stream.tries.length, tries);
  });

  it('does not retry after a pause longer than the stream may remember an id', async () => {
    const { stream, time, publisher } = open();
    const failed = assert.rejects(publisher.append(BODY), JournalUnavailable);
    await turn();
    // The process stood still for an hour; its first news is that its time was up.
    await time.pass(3_600_000);
    await stream.answer(away());
    await failed;
    assert.deepEqual(stream.ids, ['me-1']);
  });

  it('finds the end by the next message begun, or by a mark if there is none', async () => {
    const { stream, publisher } = open();
    const running = publisher.append(BODY);
    await turn();
    // The running one may have landed before a message acknowledged in the meantime.
    const asked = [publisher.head(), publisher.head()];
    await stream.answer(3);
    assert.equal(await running, 3);
    await turn();
    assert.equal(stream.tries.length, 2, 'one mark for both');
    await stream.answer(9);
    assert.deepEqual(await Promise.all(asked), [9, 9]);
    const written = publisher.append(BODY);
    const next = publisher.head();
    await turn();
    await stream.answer(10);
    assert.equal(await written, 10);
    assert.equal(await next, 10);
    assert.equal(stream.tries.length, 3, 'no mark where something is written');
  });

  it('does not take the place of a shared message for the end: it may be old', async () => {
    const { stream, publisher } = open();
    const shared = publisher.share('outbox-1', BODY);
    const head = publisher.head();
    await turn();
    assert.deepEqual(stream.ids, ['outbox-1']);
    await stream.answer(2);
    assert.equal(await shared, 2);
    await turn();
    await stream.answer(7);
    assert.equal(await head, 7);
  });

  it('does not count an answer of a recreated stream as an acknowledgement', async () => {
    const { stream, publisher } = open();
    const first = publisher.append(BODY);
    await turn();
    await stream.answer(100);
    await first;
    const second = assert.rejects(publisher.append(BODY), /made again/);
    await turn();
    await stream.answer(1);
    await second;
  });
});

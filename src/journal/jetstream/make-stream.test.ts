import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  type StreamInfo,
} from '@nats-io/jetstream';
import { findStream, makeStream } from './make-stream.ts';

const FOUND = { created: '2026-11-26T00:00:00Z' } as StreamInfo;
const MADE = { created: '2026-11-26T00:00:01Z' } as StreamInfo;

/** A cluster that first denies a stream, which it does not have or has not read yet. */
function denying(): { manager: JetStreamManager; made(): number } {
  let [asked, made] = [0, 0];
  const streams = {
    async info(): Promise<StreamInfo> {
      asked += 1;
      if (asked > 1) return FOUND;
      const error = { code: 404, err_code: JetStreamApiCodes.StreamNotFound };
      throw new JetStreamApiError({ ...error, description: 'stream not found' });
    },
    async add(): Promise<StreamInfo> {
      made += 1;
      return MADE;
    },
  };
  return { manager: { streams } as unknown as JetStreamManager, made: () => made };
}

describe('a stream denied by its servers', () => {
  it('is created if no journal is in it yet', async () => {
    const { manager } = denying();
    assert.equal(await makeStream(manager, true), MADE);
  });

  it('is awaited, and never created, if it has a journal', async () => {
    const { manager, made } = denying();
    assert.equal(await findStream(manager), FOUND);
    assert.equal(made(), 0);
  });
});

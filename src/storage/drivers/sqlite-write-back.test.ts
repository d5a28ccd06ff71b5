import { it } from 'node:test';
import { until } from '../../../test/servers/until.ts';
import { WriteBack } from './sqlite-write-back.ts';

it('fails no commit if there is no thread to write back, and retries', async () => {
  let tries = 0;
  const none = {
    ask: async () => {
      tries += 1;
      throw new Error('ERR_WORKER_INIT_FAILED: EAGAIN');
    },
    end: async () => {},
  };
  const full = { logState: () => ({ pages: 100_000, writtenBack: 0 }) };
  const writeBack = new WriteBack('/nowhere', full, none);
  await until(() => {
    writeBack.noteCommit();
    return tries === 2;
  }, 'a second try');
  await writeBack.close();
});

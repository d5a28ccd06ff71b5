import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { createWorld, type World } from '../matrix/world.ts';
import { needs, often } from '../needs.ts';
import { Client, startOn, type TestServer } from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';
import { Random } from '../simulation/random.ts';
import {
  type Document,
  type FuzzRequest,
  faultOf,
  fullDocument,
  fuzzRequest,
  readTargets,
  type Target,
} from './operations.ts';

needs('postgres', 'server');

/** `FUZZ_REQUESTS=1000000 FUZZ_SEED=7` looks longer and elsewhere. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? often(300, 1000));
const SEED = Number(process.env.FUZZ_SEED ?? 1);
const AT_ONCE = 8;
/** An answer later than this is a hang. */
const HANG_MS = 30_000;
const MAX_FAULTS_SHOWN = 20;
const MAX_LOG_SHOWN = 4000;

for (const kind of ['sqlite', 'postgres'] as const) {
  describe(`generated requests on ${kind}`, () => {
    let running: TestServer;
    let world: World;
    let document: Document;
    let targets: Target[];
    before(async () => {
      running = await startOn(kind, {
        LOG_LEVEL: 'error',
        PLIMSOLL_SECRET_KEY: randomBytes(32).toString('base64'),
      });
      const { address } = running.server;
      document = fullDocument();
      targets = readTargets(document);
      world = await createWorld(address);
    });
    after(() => running.close());

    /** Answers of a server that was busy, which told when to come again. */
    let later = 0;
    const sendOnce = async ({ target, path, headers, body }: FuzzRequest) => {
      const token = target.path.startsWith('/admin') ? world.operator.token : world.owner.token;
      const gone = new AbortController();
      const response = await fetch(running.server.address + path, {
        method: target.method,
        headers: { 'auth-token': token ?? '', ...headers },
        signal: AbortSignal.any([gone.signal, AbortSignal.timeout(HANG_MS)]),
        ...(body === undefined
          ? {}
          : { body: typeof body === 'string' ? body : Buffer.from(body) }),
      });
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
      const text = isStream ? '' : await response.text();
      gone.abort();
      const isLater = response.status === 503 && response.headers.has('retry-after');
      return { status: response.status, text, isLater };
    };
    const send = async (request: FuzzRequest): Promise<string | undefined> => {
      const { target, path, headers, body } = request;
      let answer = await sendOnce(request);
      await until(async () => {
        if (!answer.isLater) return true;
        later += 1;
        answer = await sendOnce(request);
        return false;
      }, 'another answer than 503').catch(() => undefined);
      const { status, text } = answer;
      const fault = faultOf(target, status, text);
      if (fault === undefined) return undefined;
      const sent = `${target.method} ${path} ${JSON.stringify(headers)} ${String(body).slice(0, 400)}`;
      return `${target.id}: ${status} ${fault}: ${text.slice(0, 300)} to ${sent}`;
    };

    it(`are answered as documented, without a failure or a hang (seed ${SEED})`, async (t) => {
      const random = new Random(SEED);
      const faults: string[] = [];
      for (let sent = 0; sent < REQUESTS && faults.length < MAX_FAULTS_SHOWN; sent += AT_ONCE) {
        const requests = Array.from({ length: AT_ONCE }, (_, index) => {
          const target = targets[(sent + index) % targets.length];
          assert.ok(target);
          return fuzzRequest(target, document, world, random);
        });
        const answers = await Promise.all(
          requests.map((request) =>
            send(request).catch(
              (error: Error) => `${request.path}: ${error.message} ${error.cause}`,
            ),
          ),
        );
        for (const fault of answers) if (fault !== undefined) faults.push(fault);
      }
      t.diagnostic(`${later} answers asked to come again`);
      if (faults.length > 0) console.error(running.server.log().slice(0, MAX_LOG_SHOWN));
      assert.deepEqual(faults, []);
      assert.equal((await new Client(world.address, undefined).get('/health/ready')).status, 200);
    });
  });
}

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { needs, testedOn } from '../needs.ts';
import { startP4Bridge } from '../servers/p4-bridge-server-process.ts';
import {
  type Client,
  newAccount,
  newUser,
  startOn,
  type TestServer,
} from '../servers/plimsoll-process.ts';
import {
  type CollectedSpan,
  startTraceCollector,
  type TraceCollector,
} from '../servers/trace-collector.ts';
import { until } from '../servers/until.ts';

needs('postgres', 'server');

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';

const operationOf = (attributes: CollectedSpan['attributes']): unknown =>
  attributes['plimsoll.operation'];

for (const kind of testedOn()) {
  describe(`traces of a server on ${kind}`, () => {
    let collector: TraceCollector;
    let running: TestServer;
    let user: Client & { userId: string };
    let account: string;
    before(async () => {
      collector = await startTraceCollector();
      running = await startOn(kind, {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_SERVICE_NAME: 'plimsoll-of-this-test',
        PLIMSOLL_SECRET_KEY: randomBytes(32).toString('base64'),
      });
      const bridge = await startP4Bridge();
      try {
        user = await newUser(running.server.address);
        account = await newAccount(user);
        await ask();
      } finally {
        await running.close();
        await bridge.kill();
      }

      async function ask(): Promise<void> {
        const traceparent = `00-${TRACE_ID}-${CALLER}-01`;
        const path = `/users/current/accounts/${account}/deals`;
        const deal = { id: '1', type: 'DEAL_TYPE_BALANCE', profit: 987_654.32 };
        const deals = [{ ...deal, brokerTime: '2026-01-05 10:00:00.000' }];
        const sent = await user.post(path, deals, { traceparent });
        assert.equal(sent.status, 200, JSON.stringify(sent.body));
        const profile = await user.post<{ id: string }>('/users/current/provisioning-profiles', {
          ...{ name: 'Bridge', platform: 'p4', kind: 'p4-bridge' },
          ...{ server: bridge.url, password: 'bridge-token' },
        });
        const group = 'symbolsGroup?group=0';
        await user.get(`/users/current/p4/provisioning-profiles/${profile.body.id}/${group}`);
        await user.get(`/users/current/accounts/${account}/trackers/unknown`);
        // A server that stops gives its last spans two seconds.
        await until(
          () => collector.spans.some(({ attributes }) => operationOf(attributes) === 'readTracker'),
          'the span of the last request',
        );
      }
    });
    after(() => collector.close());

    const find = (isIt: (span: CollectedSpan) => boolean): CollectedSpan => {
      const found = collector.spans.find(isIt);
      assert.ok(found, JSON.stringify(collector.spans, null, 1));
      return found;
    };
    const ofOperation = (operation: string): CollectedSpan =>
      find(({ attributes }) => operationOf(attributes) === operation);

    it("show a request of an operation as a part of its sender's trace", () => {
      const span = find(
        ({ traceId, parentSpanId }) => traceId === TRACE_ID && parentSpanId === CALLER,
      );
      const { name, attributes, service } = span;
      assert.equal(name, 'POST /users/current/accounts/:accountId/deals');
      assert.equal(service, 'plimsoll-of-this-test');
      assert.equal(Number(attributes['http.response.status_code']), 200);
      assert.equal(attributes['user.id'], user.userId);
    });

    it('show its questions to the database', () => {
      const { spanId } = find(({ parentSpanId }) => parentSpanId === CALLER);
      const transaction = find(
        ({ name, parentSpanId }) => name === 'transaction' && parentSpanId === spanId,
      );
      const insert = find(
        ({ name, parentSpanId }) => name === 'INSERT' && parentSpanId === transaction.spanId,
      );
      assert.match(String(insert.attributes['db.query.text']), /^insert into/);
    });

    it('show its calls to a platform', () => {
      const request = ofOperation('readP4Symbols');
      const asked = find(
        ({ name, parentSpanId }) => name === 'GET' && parentSpanId === request.spanId,
      );
      assert.equal(Number(asked.attributes['http.response.status_code']), 200);
    });

    it('show a request that was refused', () => {
      assert.equal(Number(ofOperation('readTracker').attributes['http.response.status_code']), 404);
    });

    it('hold no token, no password and no amount', () => {
      const text = collector.text();
      for (const secret of [user.token ?? '', 'bridge-token', '987654', '9876543200']) {
        assert.ok(secret !== '' && !text.includes(secret), secret);
      }
    });
  });
}

describe('a server whose collector of traces is away', () => {
  it('answers, says so in its log, and stops in order', async () => {
    const collector = await startTraceCollector();
    collector.close();
    const running = await startOn('sqlite', { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    try {
      const user = await newUser(running.server.address);
      assert.equal((await user.get('/users/current/accounts')).status, 200);
      const isSaid = (): boolean => running.server.log().includes('traces cannot be sent');
      await until(isSaid, 'the line in the log');
      assert.equal(await running.server.stop(), 0);
    } finally {
      await running.close();
    }
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSettings, SETTINGS } from './settings.ts';

const problemsOf = (environment: Record<string, string>): string[] =>
  readSettings(environment).problems;

test('no setting is required', () => {
  assert.deepEqual(problemsOf({}), []);
  assert.deepEqual(
    problemsOf(Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, '']))),
    [],
  );
});

test('the token of the operator has at least 32 characters', () => {
  assert.deepEqual(problemsOf({ PLIMSOLL_ADMIN_TOKEN: 'a'.repeat(32) }), []);
  const [problem] = problemsOf({ PLIMSOLL_ADMIN_TOKEN: 'a'.repeat(31) });
  assert.match(problem ?? '', /^PLIMSOLL_ADMIN_TOKEN must have at least 32 characters/);
});

test('a misspelt setting is reported with the intended one', () => {
  assert.deepEqual(problemsOf({ PLIMSOLL_REQUEST_PER_MINUTE: '5' }), [
    'PLIMSOLL_REQUEST_PER_MINUTE is not known; did you mean PLIMSOLL_REQUESTS_PER_MINUTE?',
  ]);
  assert.deepEqual(problemsOf({ PLIMSOLL_NOTHING_LIKE_IT_AT_ALL: '5' }), [
    'PLIMSOLL_NOTHING_LIKE_IT_AT_ALL is not known',
  ]);
});

test('variables set by orchestrators for a service called plimsoll are ignored', () => {
  const names = [
    'PLIMSOLL_SERVICE_HOST',
    'PLIMSOLL_SERVICE_PORT',
    'PLIMSOLL_SERVICE_PORT_HTTP',
    'PLIMSOLL_PORT',
    'PLIMSOLL_PORT_8787_TCP',
    'PLIMSOLL_PORT_8787_TCP_ADDR',
    'PLIMSOLL_API_SERVICE_HOST',
    'PLIMSOLL_POSTGRES_PORT_5432_TCP_PROTO',
    'PLIMSOLL_TEST_DATABASE_URL',
  ];
  assert.deepEqual(
    problemsOf(Object.fromEntries(names.map((name) => [name, 'tcp://10.0.0.1']))),
    [],
  );
});

test('proxies are addresses or networks, origins are origins', () => {
  const good = {
    PLIMSOLL_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8,2001:db8::/32',
    PLIMSOLL_CORS_ORIGINS: 'https://a.example,http://localhost:3000',
  };
  const { settings, problems } = readSettings(good);
  assert.deepEqual(problems, []);
  assert.deepEqual(settings.PLIMSOLL_TRUSTED_PROXIES, ['127.0.0.1', '10.0.0.0/8', '2001:db8::/32']);
  assert.deepEqual(settings.PLIMSOLL_CORS_ORIGINS, ['https://a.example', 'http://localhost:3000']);
  for (const bad of ['proxy', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0.0/', '1.2.3.4,,']) {
    assert.equal(problemsOf({ PLIMSOLL_TRUSTED_PROXIES: bad }).length, 1, bad);
  }
  for (const bad of ['*', 'a.example', 'https://a.example/', 'https://a.example/x']) {
    assert.equal(problemsOf({ PLIMSOLL_CORS_ORIGINS: bad }).length, 1, bad);
  }
});

test('lists of values name each once, and what is not named keeps its default', () => {
  const { settings, problems } = readSettings({
    PLIMSOLL_KEEP_DAYS: 'hours=90, events=365',
    PLIMSOLL_RISK_URL: 'https://risk.example/?a=b',
  });
  assert.deepEqual(problems, []);
  assert.deepEqual(settings.PLIMSOLL_KEEP_DAYS, {
    hours: 90,
    periods: 0,
    evidence: 0,
    events: 365,
    audit: 730,
  });
  assert.equal(settings.PLIMSOLL_RISK_URL, 'https://risk.example/?a=b');
  for (const bad of ['hours', 'hours=x', 'years=1', 'hours=1,hours=2', '=1', 'hours=1,']) {
    assert.match(
      problemsOf({ PLIMSOLL_KEEP_DAYS: bad })[0] ?? '',
      /^PLIMSOLL_KEEP_DAYS must /,
      bad,
    );
  }
  assert.equal(problemsOf({ PLIMSOLL_RISK_URL: 'risk.example' }).length, 1);
});

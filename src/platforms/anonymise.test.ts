import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anonymise } from './anonymise.ts';

const ANSWERS = [
  {
    call: '/api/user/get',
    answer: {
      retcode: '0 Done',
      answer: {
        ...{ Login: '954402', Group: 'real\\Harbour', Name: 'Ada Byron', Phone: '447700900123' },
        ...{
          ZIPCode: '0150',
          LastIP: '203.0.113.9',
          Balance: '1500.25',
          Rights: '355',
          Agent: '0',
        },
        ApiData: [{ AppID: '1', ValueInt: '5' }],
      },
    },
  },
  {
    call: 'POST /states',
    answer: {
      items: [{ login: 954402, balance: 1500.25, name: 'Ada Byron', group: 'real\\Harbour' }],
    },
  },
  { call: '/api/symbol/list', answer: { retcode: '0 Done', answer: ['EURUSD', 'XAUUSD'] } },
];

test('answers keep amounts and words of kinds, and nothing of whom they are about', () => {
  const told = JSON.stringify(anonymise(ANSWERS));
  for (const kept of ['0 Done', '1500.25', '355', 'EURUSD', 'XAUUSD'])
    assert.ok(told.includes(kept), kept);
  for (const gone of ['954402', 'Harbour', 'Ada', '447700900123', '0150', '203.0.113.9', 'AppID'])
    assert.equal(told.includes(gone), false, gone);
});

test('the same one has the same substitute everywhere, and nobody stays nobody', () => {
  const [user, states] = anonymise(ANSWERS).map(({ answer }) => answer) as [
    { answer: Record<string, string> },
    { items: Record<string, unknown>[] },
  ];
  const [state] = states.items;
  assert.equal(Number(user.answer.Login), state?.login);
  assert.equal(user.answer.Name, state?.name);
  assert.equal(user.answer.Group, state?.group);
  assert.equal(user.answer.Agent, '0');
});

test('of a long list the first rows are kept', () => {
  const answer = { answer: Array.from({ length: 5000 }, (_, at) => ({ Symbol: `S${at}` })) };
  const [kept] = anonymise([{ call: '/api/symbol/get', answer }]).map(
    (each) => each.answer as typeof answer,
  );
  assert.equal(kept?.answer.length, 20);
});

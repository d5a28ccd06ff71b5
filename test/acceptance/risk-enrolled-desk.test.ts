import assert from 'node:assert/strict';
import { it } from 'node:test';
import { needs, testedOn } from '../needs.ts';
import { newAccount, newUser, startOn } from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';

needs('postgres', 'server');

type Standing = { unwatched: boolean; limits: { name: string; toFloor: number }[] };
type Overview = {
  accounts: {
    unwatched: boolean;
    worstTracker?: { name: string };
    endedEnrolment?: { phaseName: string; state: string };
  }[];
};
type Incidents = { incidents: { events: { trackerName?: string }[] }[] };

for (const kind of testedOn())
  it(`the desk shows the limits of enrolments under their names, with ${kind}`, async (test) => {
    const running = await startOn(kind);
    test.after(() => running.close());
    const user = await newUser(running.server.address);
    const id = await newAccount(user);
    const rules = [
      { kind: 'dailyLoss', share: 0.05 },
      { kind: 'maximumLoss', share: 0.1 },
    ];
    const phases = [{ name: 'Step 1', rules, objectives: [] }];
    const program = await user.post<{ id: string }>('/users/current/programs', {
      ...{ name: 'Challenge', phases },
    });
    const enrolled = await user.post(`/users/current/accounts/${id}/enrolments`, {
      ...{ programId: program.body.id, initialBalance: 10_000 },
    });
    assert.equal(enrolled.status, 201, JSON.stringify(enrolled.body));
    const push = (minute: number, equity: number) =>
      user.post('/users/current/snapshots', [
        { accountId: id, brokerTime: `2026-03-02 10:0${minute}:00`, balance: 10_000, equity },
      ]);
    await push(1, 9800);
    const standing = await user.asOfNow<Standing>(`/users/current/accounts/${id}/standing`);
    assert.equal(standing.unwatched, false);
    assert.deepEqual(
      standing.limits.map(({ name, toFloor }) => [name, toFloor]),
      [
        ['Step 1: daily loss', 300],
        ['Step 1: maximum loss', 800],
      ],
    );
    await until(async () => {
      const { body } = await user.get<Overview>('/users/current/accounts-overview');
      const [row] = body.accounts;
      return row?.worstTracker?.name === 'Step 1: daily loss' && !row.unwatched;
    }, 'the limit in the overview');
    await push(2, 9400);
    await until(async () => {
      const { body } = await user.get<Incidents>('/users/current/incidents');
      return body.incidents[0]?.events[0]?.trackerName === 'Step 1: daily loss';
    }, 'the incident with its name');
    await until(async () => {
      const { body } = await user.get<Overview>('/users/current/accounts-overview');
      const [row] = body.accounts;
      const { phaseName, state } = row?.endedEnrolment ?? {};
      return row?.unwatched === true && phaseName === 'Step 1' && state === 'failed';
    }, 'why nothing watches it any more');
  });

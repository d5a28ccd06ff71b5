import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import type { Quotas } from '../../src/domain/quotas/quotas.ts';
import {
  type Account,
  listAccountRows,
  removeAccount,
  updateAccountRow,
} from '../../src/storage/account-store.ts';
import { type Database, UniqueViolation } from '../../src/storage/database.ts';
import {
  countDecisions,
  findPendingQuotaRequest,
  findQuotaRequest,
  insertQuotaRequest,
  listQuotaRequestRows,
  type StoredQuotaRequest,
  updateQuotaRequest,
} from '../../src/storage/quota-request-store.ts';
import { countHoldings, findQuotas, upsertQuotas } from '../../src/storage/quota-store.ts';
import { newAccount, newUser, useDatabase } from './fixture.ts';

type Used = ReturnType<typeof useDatabase>;

export function registerQuotaContract(kind: Database['kind']): void {
  describe('quota store', () => registerQuotas(useDatabase(kind)));
  describe('quota request store', () => registerRequests(useDatabase(kind)));
}

function registerQuotas(use: Used): void {
  it('gives back all five maxima by region, as they were written last', async () => {
    const [userId, other] = [await newUser(use.database), await newUser(use.database)];
    const quotas: Quotas = {
      ...{ maxAccounts: 1, maxDeployedG1Accounts: 2, maxDeployedG2Accounts: 3 },
      ...{ maxDeployedCopyAccounts: 4, maxDedicatedIpv4: Number.MAX_SAFE_INTEGER },
    };
    assert.deepEqual(await findQuotas(use.database, userId), new Map());
    await upsertQuotas(use.database, userId, 'main', { ...quotas, maxAccounts: 9 });
    await upsertQuotas(use.database, userId, 'main', quotas);
    await upsertQuotas(use.database, userId, 'east', { ...quotas, maxDedicatedIpv4: 0 });
    await upsertQuotas(use.database, other, 'main', { ...quotas, maxAccounts: 7 });
    const found = await findQuotas(use.database, userId);
    assert.deepEqual(found.get('main'), quotas);
    assert.deepEqual(found.get('east'), { ...quotas, maxDedicatedIpv4: 0 });
    assert.equal(found.size, 2);
  });

  it('counts the accounts of a user by region and kind', async () => {
    const userId = await newUser(use.database);
    for (let n = 0; n < 3; n += 1) await newAccount(use.database, { userId });
    await newAccount(use.database, { userId, region: 'east', tier: 'g2', copy: true });
    await newAccount(use.database, { userId, deployed: false, dedicatedIpv4: true });
    await newAccount(use.database);
    const counted = await countHoldings(use.database, userId);
    const byRegion = counted.toSorted(
      (a, b) => a.accounts - b.accounts || (a.region < b.region ? -1 : 1),
    );
    const plain = { tier: 'g1', deployed: true, copy: false, dedicatedIpv4: false };
    assert.deepEqual(byRegion, [
      { userId, region: 'east', holding: { ...plain, tier: 'g2', copy: true }, accounts: 1 },
      {
        ...{ userId, region: 'main' },
        holding: { ...plain, deployed: false, dedicatedIpv4: true },
        accounts: 1,
      },
      { userId, region: 'main', holding: plain, accounts: 3 },
    ]);
  });

  it('counts as one who looks at all accounts would, whatever becomes of them', async () => {
    const userId = await newUser(use.database);
    const accounts = [];
    for (let n = 0; n < 6; n += 1) accounts.push(await newAccount(use.database, { userId }));
    const [a, b, c, d] = accounts;
    assert.ok(a && b && c && d);
    await use.database.transaction(async (tx) => {
      await updateAccountRow(tx, { ...a, tier: 'g2', deployed: false });
      await updateAccountRow(tx, { ...b, copy: true, dedicatedIpv4: true });
      await updateAccountRow(tx, { ...c, name: 'Renamed' });
      await removeAccount(tx, b.number, 1);
      await removeAccount(tx, d.number, 1);
    });
    const failing = use.database.transaction(async (tx) => {
      await removeAccount(tx, a.number, 1);
      throw new Error('no');
    });
    await assert.rejects(failing);
    const stays = (await listAccountRows(use.database, userId, 10, 0)).map(kindOf);
    const counted = (await countHoldings(use.database, userId)).flatMap(
      ({ region, holding, accounts: count }) =>
        Array.from({ length: count }, () => kindOf({ region, ...holding })),
    );
    assert.deepEqual(counted.toSorted(), stays.toSorted());
    assert.equal(counted.length, 4);
  });
}

type Kind = Pick<Account, 'region' | 'tier' | 'deployed' | 'copy' | 'dedicatedIpv4'>;
const kindOf = ({ region, tier, deployed, copy, dedicatedIpv4 }: Kind): string =>
  [region, tier, deployed, copy, dedicatedIpv4].join(' ');

function registerRequests(use: Used): void {
  const requestOf = (
    userId: string,
    fields: Partial<StoredQuotaRequest> = {},
  ): StoredQuotaRequest => ({
    ...{ id: randomUUID(), userId, region: 'main', state: 'pending' },
    ...{ requested: { maxAccounts: 20 }, justification: null, createdAtMs: 1, updatedAtMs: 1 },
    ...{ decidedAtMs: null, decidedBy: null, message: null, ...fields },
  });
  const add = async (request: StoredQuotaRequest) => {
    await insertQuotaRequest(use.database, request);
    return request;
  };

  it('gives back every field as it was written last', async () => {
    const request = await add(requestOf(await newUser(use.database), { justification: 'é' }));
    assert.deepEqual(await findQuotaRequest(use.database, request.id), request);
    const decided: StoredQuotaRequest = {
      ...request,
      ...{ state: 'approved', requested: { maxDedicatedIpv4: 1 }, justification: null },
      ...{ updatedAtMs: 2, decidedAtMs: 3, decidedBy: 'cli:o', message: 'welcome' },
    };
    await updateQuotaRequest(use.database, decided);
    assert.deepEqual(await findQuotaRequest(use.database, request.id), decided);
    assert.equal(await findQuotaRequest(use.database, randomUUID()), undefined);
  });

  it('has one that is pending for a user and region, and any number that are decided', async () => {
    const userId = await newUser(use.database);
    const first = await add(requestOf(userId));
    await assert.rejects(add(requestOf(userId)), UniqueViolation);
    await add(requestOf(userId, { region: 'east' }));
    assert.deepEqual(await findPendingQuotaRequest(use.database, userId, 'main'), first);
    await updateQuotaRequest(use.database, { ...first, state: 'declined', decidedAtMs: 5 });
    assert.equal(await findPendingQuotaRequest(use.database, userId, 'main'), undefined);
    await add(requestOf(userId));
  });

  it('counts what somebody has decided for a user since a moment', async () => {
    const userId = await newUser(use.database);
    for (const [decidedBy, decidedAtMs] of [
      ['policy', 10],
      ['policy', 20],
      ['cli:o', 20],
    ] as const) {
      await add(requestOf(userId, { state: 'approved', decidedBy, decidedAtMs }));
    }
    assert.equal(await countDecisions(use.database, userId, 'policy', 9), 2);
    assert.equal(await countDecisions(use.database, userId, 'policy', 10), 1);
  });

  it('lists a page of all, newest first, of one state where given', async () => {
    const userId = await newUser(use.database);
    const soon = 2 ** 45;
    const ids: string[] = [];
    for (const [index, region] of ['a', 'b', 'c'].entries()) {
      const state = region === 'b' ? 'declined' : 'pending';
      const request = await add(requestOf(userId, { region, state, createdAtMs: soon + index }));
      ids.unshift(request.id);
    }
    const list = async (state: 'pending' | undefined, limit: number, offset: number) =>
      await listQuotaRequestRows(use.database, { state }, limit, offset);
    const found = await list(undefined, 3, 0);
    assert.deepEqual(
      found.map(({ id }) => id),
      ids,
    );
    assert.equal(found[0]?.email, `${userId}@example.com`);
    assert.deepEqual(
      (await list('pending', 1, 1)).map(({ id }) => id),
      [ids[2]],
    );
  });
}

import assert from 'node:assert/strict';
import { Compile } from 'typebox/compile';
import { AUDIT_DETAILS, type AuditAction } from '../../src/contract/audit-details.ts';
import type { Client } from './plimsoll-process.ts';

type Entry = { action: AuditAction; details: unknown };

/** The newest 1 000 entries of a server say what their actions' schemas have, and nothing else. */
export async function assertAuditFits(operator: Client): Promise<void> {
  const { body } = await operator.get<Entry[]>('/admin/audit?limit=1000');
  assert.ok(body.length > 0);
  for (const { action, details } of body) {
    assert.ok(action in AUDIT_DETAILS, action);
    const check = Compile(AUDIT_DETAILS[action]);
    assert.ok(check.Check(details), `${action} ${JSON.stringify(details)}`);
  }
}

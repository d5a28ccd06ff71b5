import { randomUUID } from 'node:crypto';
import { Claims, type ClaimsOptions } from '../../src/claims/claims.ts';
import type { Database } from '../../src/storage/database.ts';
import { TestTime } from './test-time.ts';

/** The claims of a separate process on a database; without a time it never beats again. */
export const testClaims = (database: Database, options: Partial<ClaimsOptions> = {}): Claims =>
  new Claims({
    ...{ database, time: new TestTime(), id: randomUUID(), logger: { warn() {} } },
    ...options,
  });

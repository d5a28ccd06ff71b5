import { describe } from 'node:test';
import type { Database } from '../../src/storage/database.ts';
import { registerAccountContract } from './account-contract.ts';
import { registerCatalogueContract } from './catalogue-contract.ts';
import { registerDealContract } from './deal-contract.ts';
import { registerDriverContract } from './driver-contract.ts';
import { registerMigrationContract } from './migration-contract.ts';
import { registerOutageContract } from './outage-contract.ts';
import { registerTokenContract } from './token-contract.ts';
import { registerTradeContract } from './trade-contract.ts';

/** What every kind of database must do, whatever stands behind it. */
export function registerStorageContract(kind: Database['kind']): void {
  describe(`storage on ${kind}`, () => {
    registerDriverContract(kind);
    registerOutageContract(kind);
    registerMigrationContract(kind);
    registerTokenContract(kind);
    registerAccountContract(kind);
    registerCatalogueContract(kind);
    registerDealContract(kind);
    registerTradeContract(kind);
  });
}

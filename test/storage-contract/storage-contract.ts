import { describe } from 'node:test';
import type { Database } from '../../src/storage/database.ts';
import { registerAccountContract } from './account-contract.ts';
import { registerAuditContract } from './audit-contract.ts';
import { registerCatalogueContract } from './catalogue-contract.ts';
import { registerClaimContract } from './claim-contract.ts';
import { registerDealContract } from './deal-contract.ts';
import { registerDriverContract } from './driver-contract.ts';
import { registerEventContract } from './event-contract.ts';
import { registerHourContract } from './hour-contract.ts';
import { registerImportContract } from './import-contract.ts';
import { registerIngestContract } from './ingest-contract.ts';
import { registerLiveContract } from './live-contract.ts';
import { registerMailContract } from './mail-contract.ts';
import { registerMigrationContract } from './migration-contract.ts';
import { registerOutageContract } from './outage-contract.ts';
import { registerPartitionContract } from './partition-contract.ts';
import { registerProfileContract } from './profile-contract.ts';
import { registerQuotaContract } from './quota-contract.ts';
import { registerRemovedAccountContract } from './removed-account-contract.ts';
import { registerRetentionContract } from './retention-contract.ts';
import { registerSyncContract } from './sync-contract.ts';
import { registerTokenContract } from './token-contract.ts';
import { registerTrackerContract } from './tracker-contract.ts';
import { registerTradeContract } from './trade-contract.ts';
import { registerWebhookContract } from './webhook-contract.ts';

/** What every kind of database must do, whatever stands behind it. */
export function registerStorageContract(kind: Database['kind']): void {
  describe(`storage on ${kind}`, () => {
    registerDriverContract(kind);
    registerOutageContract(kind);
    registerMigrationContract(kind);
    registerTokenContract(kind);
    registerAccountContract(kind);
    registerRemovedAccountContract(kind);
    registerCatalogueContract(kind);
    registerDealContract(kind);
    registerImportContract(kind);
    registerTradeContract(kind);
    registerIngestContract(kind);
    registerLiveContract(kind);
    registerHourContract(kind);
    registerTrackerContract(kind);
    registerEventContract(kind);
    registerClaimContract(kind);
    registerPartitionContract(kind);
    registerWebhookContract(kind);
    registerSyncContract(kind);
    registerProfileContract(kind);
    registerQuotaContract(kind);
    registerMailContract(kind);
    registerAuditContract(kind);
    registerRetentionContract(kind);
  });
}

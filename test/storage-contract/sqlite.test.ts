import { registerStorageContract } from './storage-contract.ts';

registerStorageContract('sqlite');

import { needs } from '../needs.ts';
import { registerStorageContract } from './storage-contract.ts';

needs('postgres', 'server');

registerStorageContract('postgres');

import { needs } from '../needs.ts';
import { registerStorageContract } from './storage-contract.ts';

needs('server');

registerStorageContract('sqlite');

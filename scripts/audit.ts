import { audit } from './checks.ts';

/** Before a release: fails where the registry cannot be asked for known faults of packages. */
await audit(true);

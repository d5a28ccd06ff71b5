/** For the protocols, which know no room but this and the contract. */
export { FORMATS } from '../domain/formats.ts';

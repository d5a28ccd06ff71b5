/** For protocols, which may import only services and the contract. */
export { FORMATS } from '../domain/formats.ts';

import type { Platform } from '../../words/accounts.ts';
import type { Instrument } from './instrument.ts';
import { P4_INSTRUMENTS } from './p4-instruments.ts';
import { P5_INSTRUMENTS } from './p5-instruments.ts';

/** All instruments of a simulated broker of the family. */
export const instrumentsOf = (family: Platform): readonly Instrument[] =>
  family === 'p4' ? P4_INSTRUMENTS : P5_INSTRUMENTS;

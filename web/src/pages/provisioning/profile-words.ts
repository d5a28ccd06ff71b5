import type { ProfileRecord } from '../../../../src/contract/operations/profiles.ts';

export const KINDS = [
  {
    kind: 'simulated',
    title: 'Simulated',
    platforms: ['p4', 'p5'],
    hint: 'A platform of make-believe for trying things out. It needs nothing else.',
  },
  {
    kind: 'p5-web-api',
    title: 'p5 Web API',
    platforms: ['p5'],
    hint: 'The access server of a p5 platform, with a manager account that may use its Web API.',
  },
  {
    kind: 'p4-bridge',
    title: 'p4 bridge',
    platforms: ['p4'],
    hint: "Plimsoll's bridge, which runs beside a p4 manager terminal.",
  },
] as const;

export type Kind = (typeof KINDS)[number]['kind'];
export type Platform = ProfileRecord['platform'];

export const titleOfKind = (kind: Kind): string =>
  KINDS.find((each) => each.kind === kind)?.title ?? kind;

import type { HttpClient } from './http-client.ts';

const PROGRAM = {
  name: 'Demo, two steps',
  phases: [
    {
      name: 'Challenge',
      rules: [
        { kind: 'dailyLoss', share: 0.05, warnAt: 0.8 },
        { kind: 'maximumLoss', share: 0.1 },
      ],
      objectives: [
        { kind: 'profitTarget', share: 0.1 },
        { kind: 'tradingDays', days: 4 },
      ],
    },
    {
      name: 'Verification',
      rules: [
        { kind: 'dailyLoss', share: 0.05 },
        { kind: 'maximumLoss', share: 0.1 },
      ],
      objectives: [{ kind: 'profitTarget', share: 0.05 }],
    },
  ],
};
const PATH = '/users/current/programs';

/** The id of the demo's program, which is created if missing. */
export async function demoProgram(client: HttpClient): Promise<string> {
  const programs = await client.send<{ id: string; name: string }[]>('GET', PATH);
  const known = programs.find(({ name }) => name === PROGRAM.name);
  return known?.id ?? (await client.send<{ id: string }>('POST', PATH, PROGRAM)).id;
}

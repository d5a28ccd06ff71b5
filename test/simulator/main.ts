import { parseArgs } from 'node:util';
import { simulateBooks } from './book-simulation.ts';
import { simulateBreaches } from './breach-simulation.ts';
import { simulateClaims } from './claim-simulation.ts';
import { type Outcome, readGiven, simulate, Template } from './simulation.ts';

/**
 * Lives through worlds, from a seed on, and ends at the first with a fault. In every other one the
 * journal is a stream, unless one of the two is asked for.
 */
const USAGE = `npm run simulate -- [--seed N] [--runs N | --minutes N] [--journal sql|stream] [--books | --claims | --breaches]
                         [--given JSON] [--tell]

  --seed N       the first world; the others follow it (a fresh one each time)
  --runs N       how many worlds (100)
  --minutes N    begin worlds for so long instead
  --journal J    only worlds whose journal is tables (sql) or a stream (both, in turns)
  --books        worlds of deals, reports, trades and statistics instead of snapshots and events
  --claims       worlds of processes that share out jobs of all kinds
  --breaches     worlds of broken limits and resets, with a platform on which something is done then
  --given JSON   faults and habits that are so in each world, such as '{"faults":{"kills":15}}'
  --tell         print what happens in each world`;
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    runs: { type: 'string', default: '100' },
    minutes: { type: 'string' },
    tell: { type: 'boolean', default: false },
    journal: { type: 'string', default: 'both' },
    given: { type: 'string', default: '{}' },
    books: { type: 'boolean', default: false },
    claims: { type: 'boolean', default: false },
    breaches: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit();
}
const first = Number(values.seed);
const runs = values.minutes === undefined ? Number(values.runs) : Number.POSITIVE_INFINITY;
const endMs = performance.now() + Number(values.minutes ?? Number.POSITIVE_INFINITY) * 60_000;
const journal = values.journal === 'both' ? {} : { hasStream: values.journal === 'stream' };
const given = readGiven(values.given);
const counts = new Map<string, number>();
const template = await Template.make();
let done = 0;
try {
  for (let seed = first; seed < first + runs && performance.now() < endMs; seed += 1) {
    const options = { isTold: values.tell, given };
    let outcome: Outcome;
    if (values.claims) outcome = await simulateClaims(template, seed, options);
    else if (values.breaches) outcome = await simulateBreaches(template, seed, options);
    else if (values.books) outcome = await simulateBooks(template, seed, options);
    else outcome = await simulate(template, seed, { ...options, ...journal });
    done += 1;
    for (const [name, count] of outcome.counts) counts.set(name, (counts.get(name) ?? 0) + count);
    if (values.tell) console.log(outcome.history.join('\n'));
    if (outcome.failure !== undefined) {
      console.log(`Seed ${seed}, run ${done}: ${outcome.failure}`);
      process.exitCode = 1;
      break;
    }
  }
} finally {
  await template.remove();
}
console.log(`${done} runs from seed ${first}, ${(performance.now() / 1000).toFixed(0)} s`);
for (const [name, count] of [...counts].sort()) console.log(`${String(count).padStart(9)} ${name}`);
process.exit();

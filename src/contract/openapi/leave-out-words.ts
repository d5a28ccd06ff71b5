import type { OpenApiDocument } from './document.ts';
import { recordsIn } from './records-in.ts';

type Field = { description?: string };
type Written = Field & { properties?: Record<string, Written>; items?: Written; allOf?: Written[] };

/** What a number of an answer is counted in, and whose clock a time is of. */
const UNITS = /broker time|in percent|fraction of 1|milliseconds|minutes|lots|hex|base64/i;
/** What the description of the document says of all. */
const SAID_OF_ALL =
  / Needs the scope `read`\.|, in the account's currency| YYYY-MM-DD HH:mm:ss.SSS/;

/**
 * Leaves out the words that people look up on the page of the reference: particulars of operations,
 * and of the fields of answers all but their units and zones, where their names do not tell them.
 * Parameters and whatever else clients send keep theirs.
 */
export function leaveOutWords({ paths, components }: OpenApiDocument): void {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  for (const operation of operations) {
    const [first = ''] = operation.description.split('\n\n');
    operation.description = first.replace(SAID_OF_ALL, '');
  }
  const inline = operations.flatMap(({ parameters = [] }) => parameters);
  const parameters = [...Object.values(components.parameters), ...inline];
  for (const parameter of parameters) shorten('', parameter, true);
  const bodies = operations.map(({ requestBody }) => requestBody);
  const sent = recordsIn([parameters, bodies], components.schemas);
  for (const [name, schema] of Object.entries(components.schemas)) {
    for (const [field, written] of fieldsOf(schema)) shorten(field, written, sent.has(name));
  }
}

/** All fields, those of records within included, by their names; rows of lists have none. */
const fieldsOf = ({ properties = {}, items, allOf = [] }: Written): [string, Field][] => [
  ...Object.entries(properties).flatMap(([name, field]): [string, Field][] => [
    [name, field],
    ...fieldsOf(field),
  ]),
  ...(items ? [['', items] satisfies [string, Field]] : []),
  ...allOf.flatMap(fieldsOf),
];

function shorten(name: string, field: Field, isSent: boolean): void {
  const words = field.description?.replace(SAID_OF_ALL, '');
  const kept = isSent ? words : words?.match(UNITS)?.[0];
  if (kept === undefined || (!isSent && tells(name, kept))) delete field.description;
  else field.description = kept;
}

/** Whether a name has its unit: `startBrokerTime`, `gainPercent`. */
const tells = (name: string, unit: string): boolean =>
  name.toLowerCase().includes(unit.toLowerCase().replaceAll(/^in | /g, ''));

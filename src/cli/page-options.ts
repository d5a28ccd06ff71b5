import { type Command, InvalidArgumentError, Option } from 'commander';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;

/** Adds `--limit`, `--offset` and `--json`. */
export function addPageOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--limit <count>', `how many to list, at most ${MAX_LIMIT}`)
        .default(DEFAULT_LIMIT)
        .argParser((text) => wholeNumber(text, 1, MAX_LIMIT)),
    )
    .addOption(
      new Option('--offset <count>', 'how many to skip')
        .default(0)
        .argParser((text) => wholeNumber(text, 0, Number.MAX_SAFE_INTEGER)),
    )
    .option('--json', 'print JSON', false);
}

export type PageOptions = { limit: number; offset: number; json: boolean };

function wholeNumber(text: string, min: number, max: number): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < min || number > max) {
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  }
  return number;
}

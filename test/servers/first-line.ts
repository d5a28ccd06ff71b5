import type { ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

/**
 * What a server of the tests prints once it listens. One that ends before fails with how it ended
 * and what it said. Its errors after that go to those of the test.
 */
export async function firstLine(
  child: ChildProcessByStdio<Writable | null, Readable, Readable>,
  name: string,
): Promise<string> {
  let said = '';
  child.stderr.on('data', (text: Buffer) => {
    said += text;
    process.stderr.write(text);
  });
  // Not 'exit', after which there may still be something to read.
  const ended = once(child, 'close').then(([code, signal]) => {
    throw new Error(`${name} ended with ${signal ?? code} before it listened: ${said}`);
  });
  const line = once(createInterface({ input: child.stdout }), 'line');
  return ((await Promise.race([line, ended])) as [string])[0];
}

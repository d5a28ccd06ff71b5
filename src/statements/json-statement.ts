import type { Statement } from './statement.ts';
import { UnreadableStatement } from './unreadable-statement.ts';
export async function readJsonStatement(
  _b: Uint8Array,
  _e: string,
  _m: number,
  _p: unknown,
): Promise<Statement> {
  throw new UnreadableStatement('x', 'y');
}

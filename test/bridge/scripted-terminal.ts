import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { endWithUs } from '../servers/end-with-us.ts';
import { type Platform, terminalBinary } from './terminal-build.ts';

export type Fields = Record<string, string | number>;

/**
 * A terminal with the Expert Advisor on its chart, as a process driven line by line (see
 * shim/script.h). Its state over restarts is in its folder.
 */
export class ScriptedTerminal {
  /** Lines of the terminal's log. */
  readonly log: string[] = [];
  /** The text on the chart. */
  comment = '';
  readonly #process: ChildProcess;
  readonly #exited: Promise<unknown>;
  readonly #waiting: { resolve: (result: number) => void; reject: (error: Error) => void }[] = [];
  /** Lines that go with the next call: a write for each would take most of a test's time. */
  #untold = '';
  #errors = '';

  private constructor(process: ChildProcess) {
    this.#process = process;
    this.#exited = once(process, 'close').then(() => this.#end());
  }

  static async start(platform: Platform, folder: string): Promise<ScriptedTerminal> {
    const child = spawn(await terminalBinary(platform), [folder], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: {},
    });
    endWithUs(child);
    const terminal = new ScriptedTerminal(child);
    createInterface(child.stdout).on('line', (line) => terminal.#read(line));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      terminal.#errors += text;
    });
    // A killed terminal accepts no more lines.
    child.stdin.on('error', () => {});
    return terminal;
  }

  /** Sets something before the next call; there is no answer. */
  tell(command: 'input' | 'allow' | 'symbol' | 'state' | 'book' | 'unbook', fields: Fields): void {
    const values = Object.entries(fields).map(
      ([name, value]) => `${name}=${encodeURIComponent(value)}`,
    );
    this.#untold += `${[command, ...values].join(' ')}\n`;
  }

  /** Calls the Expert Advisor and returns its result. Rejects if it ends during the call. */
  call(event: 'init' | 'timer' | 'deinit'): Promise<number> {
    if (this.#process.exitCode !== null || this.#process.signalCode)
      return Promise.reject(this.#why());
    this.#process.stdin?.write(`${this.#untold}${event}\n`);
    this.#untold = '';
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  /** Closes the terminal; throws the sanitizers' findings. */
  async close(): Promise<void> {
    this.#process.stdin?.end();
    await this.#exited;
    if (this.#errors !== '') throw new Error(this.#errors);
  }

  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#exited;
  }

  #read(line: string): void {
    const [kind = '', text = ''] = line.split(/ (.*)/s);
    if (kind === 'print') this.log.push(text);
    if (kind === 'comment') this.comment = text;
    if (kind === 'done') this.#waiting.shift()?.resolve(Number(text));
  }

  #end(): void {
    for (const { reject } of this.#waiting.splice(0)) reject(this.#why());
  }

  #why(): Error {
    return new Error(`The terminal ended: ${this.#errors || this.#process.signalCode}`);
  }
}

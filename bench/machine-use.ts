import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from './measure.ts';

/** Who used how much of the machine's processors, in cores, over some measurements. */
export class MachineUse {
  readonly #own: number[] = [];
  readonly #load: number[] = [];
  readonly #rest: number[] = [];
  readonly #idle: number[] = [];

  /** Measures while something is done that tells what its load used; `ownMs` counts Plimsoll's. */
  async during<T extends { loadCpuMs: number }>(
    ownMs: () => number,
    work: () => Promise<T>,
  ): Promise<T> {
    const [before, ownBefore, began] = [machineMs(), ownMs(), performance.now()];
    const done = await work();
    const after = machineMs();
    const tookMs = performance.now() - began;
    const own = ownMs() - ownBefore;
    this.#own.push(own / tookMs);
    this.#load.push(done.loadCpuMs / tookMs);
    this.#idle.push((after.idle - before.idle) / tookMs);
    this.#rest.push((after.busy - before.busy - own - done.loadCpuMs) / tookMs);
    return done;
  }

  describe(): string {
    const of = (samples: readonly number[]): string => median(samples).toFixed(2);
    const others = `the load ${of(this.#load)}, all else ${of(this.#rest)}`;
    return `Plimsoll ${of(this.#own)} cores, ${others}, idle ${of(this.#idle)}`;
  }
}

/** Cores that are busy now, for whatever reason, over a second. */
export async function busyCores(): Promise<number> {
  const [before, began] = [machineMs(), performance.now()];
  await sleep(1000);
  return (machineMs().busy - before.busy) / (performance.now() - began);
}

function machineMs(): { busy: number; idle: number } {
  let [busy, idle] = [0, 0];
  for (const { times } of cpus()) {
    idle += times.idle;
    busy += times.user + times.nice + times.sys + times.irq;
  }
  return { busy, idle };
}

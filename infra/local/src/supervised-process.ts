import { type ChildProcess, spawn } from 'node:child_process';
import { endChild, guardProcess } from '@tds/servers';
import { prefixLines } from './prefix-lines.ts';

export interface ProcessSpec {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** The time of an orderly stop, after which it is killed. */
  readonly stopWithinMs?: number;
}

export interface Backoff {
  readonly firstMs: number;
  readonly mostMs: number;
}

export interface SupervisedProcess {
  readonly name: string;
  /** Undefined between two lives. */
  readonly pid: number | undefined;
  /** The number of restarts. */
  readonly restarts: number;
  stop(): Promise<void>;
}

const spawnGuarded = (spec: ProcessSpec, write: (line: string) => void): ChildProcess => {
  const { command, args, env } = spec;
  // In a group of its own it does not get the terminal's Ctrl-C, and is stopped in order.
  const child = spawn(command, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  prefixLines(child.stdout, `${spec.name} | `, write);
  prefixLines(child.stderr, `${spec.name} | `, write);
  if (child.pid !== undefined) child.once('exit', guardProcess(child.pid, { signal: 'TERM' }));
  return child;
};

/** Keeps one process running: starts it again when it dies, later each time it dies young. */
export const superviseProcess = (
  spec: ProcessSpec,
  write: (line: string) => void,
  { firstMs, mostMs }: Backoff,
): SupervisedProcess => {
  let child: ChildProcess;
  let startedAtMs = 0;
  let waitMs = firstMs;
  let restarts = 0;
  let again: NodeJS.Timeout | undefined;
  let stopping = false;

  const start = (): void => {
    startedAtMs = performance.now();
    child = spawnGuarded(spec, write);
    let ended = false;
    const onEnd = (how: string): void => {
      if (ended || stopping) return;
      ended = true;
      if (performance.now() - startedAtMs > mostMs) waitMs = firstMs;
      write(`${spec.name} | ${how}: starting it again in ${waitMs} ms`);
      again = setTimeout(() => {
        restarts += 1;
        start();
      }, waitMs);
      waitMs = Math.min(waitMs * 2, mostMs);
    };
    child.once('error', (error) => onEnd(error.message));
    child.once('exit', (code, signal) => onEnd(`ended with ${signal ?? code}`));
  };

  start();
  return {
    name: spec.name,
    get pid() {
      return child.exitCode === null && child.signalCode === null ? child.pid : undefined;
    },
    get restarts() {
      return restarts;
    },
    stop: async () => {
      stopping = true;
      clearTimeout(again);
      await endChild(child, { withinMs: spec.stopWithinMs ?? 10_000 });
    },
  };
};

import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { createBackoff } from '@tds/base';
import { endChild, endWithParent } from '@tds/servers';

/** Passes a process's output on line by line, each with the process's name. */
const prefixLines = (source: Readable, prefix: string, write: (line: string) => void): void => {
  createInterface({ input: source, crlfDelay: Infinity }).on('line', (line) => write(`${prefix}${line}`));
};

export interface ProcessSpec {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** The time of an orderly stop, after which it is killed. */
  readonly stopWithinMs?: number;
}

type Backoff = { readonly firstMs: number; readonly maxMs: number };

interface SupervisedProcess {
  readonly name: string;
  /** Undefined between two lives. */
  readonly pid: number | undefined;
  readonly restarts: number;
  stop(): Promise<void>;
}

const spawnGuarded = (spec: ProcessSpec, write: (line: string) => void): ChildProcess => {
  const { command, args, env } = spec;
  // In a group of its own it does not get the terminal's Ctrl-C, and is stopped in order.
  const child = spawn(command, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  prefixLines(child.stdout, `${spec.name} | `, write);
  prefixLines(child.stderr, `${spec.name} | `, write);
  if (child.pid !== undefined) child.once('exit', endWithParent(child.pid, { signal: 'TERM' }));
  return child;
};

/** Keeps one process running: starts it again when it dies, later each time it dies young. */
const superviseProcess = (
  spec: ProcessSpec,
  write: (line: string) => void,
  limits: Backoff,
): SupervisedProcess => {
  let child: ChildProcess;
  let startedAtMs = 0;
  const backoff = createBackoff({ ...limits, random: () => 1 });
  let restarts = 0;
  let restartTimer: NodeJS.Timeout | undefined;
  let stopping = false;

  const start = (): void => {
    startedAtMs = performance.now();
    child = spawnGuarded(spec, write);
    let ended = false;
    const onEnd = (how: string): void => {
      if (ended || stopping) return;
      ended = true;
      if (performance.now() - startedAtMs > limits.maxMs) backoff.reset();
      const waitMs = backoff.nextMs();
      write(`${spec.name} | ${how}: starting it again in ${waitMs} ms`);
      restartTimer = setTimeout(() => {
        restarts += 1;
        start();
      }, waitMs);
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
      clearTimeout(restartTimer);
      await endChild(child, { withinMs: spec.stopWithinMs ?? 10_000 });
    },
  };
};

export interface Supervisor {
  /** Starts a process and keeps it running until `stop`. */
  start(spec: ProcessSpec): SupervisedProcess;
  /** Stops all, the last started first, each waited for. Calling it again waits for the same end. */
  stop(): Promise<void>;
}

/** Runs services as processes of their own, so that any of them can be killed. */
export const createSupervisor = ({
  write = (line) => void process.stdout.write(`${line}\n`),
  backoff = { firstMs: 100, maxMs: 10_000 },
}: {
  readonly write?: (line: string) => void;
  readonly backoff?: Backoff;
} = {}): Supervisor => {
  const running: SupervisedProcess[] = [];
  let stopped: Promise<void> | undefined;

  const stopAll = async (): Promise<void> => {
    for (const supervised of running.toReversed()) await supervised.stop();
  };

  return {
    start: (spec) => {
      if (stopped) throw new Error(`${spec.name} cannot be started: everything is being stopped`);
      const supervised = superviseProcess(spec, write, backoff);
      running.push(supervised);
      return supervised;
    },
    stop: () => {
      stopped ??= stopAll();
      return stopped;
    },
  };
};

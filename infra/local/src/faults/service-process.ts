import path from 'node:path';
import { workspaceRoot } from '@tds/servers';
import type { Supervisor } from '../supervisor.ts';
import { until } from './until.ts';

/** One instance of one service, to be killed, frozen and told where to die. */
export type ServiceProcess = {
  readonly service: string;
  /** `transcript-fetcher-2` */
  readonly name: string;
  /** Its private port: /ready and /metrics. */
  readonly health: string;
  readonly restarts: number;
  /** False where it is between two lives. */
  signal(signal: NodeJS.Signals): boolean;
  /** Ends this life; the next one kills itself at the named point, and the one after that is an ordinary one. */
  crashNextLifeAt(point: string): void;
  isReady(): Promise<boolean>;
  /** Resolves when it answers that it is ready; false where it does not within `withinMs`. */
  untilReady(withinMs: number): Promise<boolean>;
};

const LOOK_EVERY_MS = 25;
const ANSWER_WITHIN_MS = 2_000;

export type Instance = {
  readonly service: string;
  readonly number: number;
  readonly healthPort: number;
  readonly environment: NodeJS.ProcessEnv;
};

export const startServiceProcess = (
  supervisor: Supervisor,
  { service, number, healthPort, environment }: Instance,
): ServiceProcess => {
  const name = `${service}-${number}`;
  const own = { HEALTH_PORT: String(healthPort), INSTANCE_ID: name, NODE_ENV: 'test' };
  let crashAt: string | undefined;
  const supervised = supervisor.start({
    name,
    command: process.execPath,
    args: [path.join(workspaceRoot, 'services', service, 'src/main.ts')],
    // Read once for each life.
    get env() {
      const once = crashAt;
      crashAt = undefined;
      return { ...environment, ...own, ...(once === undefined ? {} : { CRASH_AT: once }) };
    },
  });
  const health = `http://127.0.0.1:${healthPort}`;
  const signal = (given: NodeJS.Signals): boolean => {
    const { pid } = supervised;
    return pid !== undefined && process.kill(pid, given);
  };
  const isReady = async (): Promise<boolean> => {
    try {
      return (await fetch(`${health}/ready`, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })).ok;
    } catch {
      return false; // not listening yet, or frozen
    }
  };
  return {
    service,
    name,
    health,
    get restarts() {
      return supervised.restarts;
    },
    signal,
    crashNextLifeAt: (point) => {
      crashAt = point;
      signal('SIGKILL');
    },
    isReady,
    untilReady: (withinMs) => until(isReady, { withinMs, everyMs: LOOK_EVERY_MS }),
  };
};

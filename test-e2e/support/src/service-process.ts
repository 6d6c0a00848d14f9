import { type Instance, type ProcessSpec, type Supervisor, toProcessSpec } from '@tds/local';
import { workspaceRoot } from '@tds/servers';
import { until } from './until.ts';

/** One instance of one service, which a test may kill, freeze, or let die at a point of its code. */
export type ServiceProcess = {
  readonly service: string;
  /** `transcript-fetcher-2` */
  readonly name: string;
  /** Its private port: /ready and /metrics. */
  readonly health: string;
  /** Undefined between two lives. */
  readonly pid: number | undefined;
  readonly restarts: number;
  /** Nothing happens where it is between two lives. */
  signal(signal: NodeJS.Signals): void | Promise<void>;
  /** Ends this life; the next one kills itself at the named point, and the one after that is an ordinary one. */
  crashNextLifeAt(point: string): void;
  /** Stops it in order; resolves when its next life is ready. That one and all later ones get `besides`. */
  restart(besides?: NodeJS.ProcessEnv): Promise<void>;
  /** Of a container: stops it in order until `start`, which resolves when it is ready. */
  stop?(): Promise<void>;
  start?(): Promise<void>;
  isReady(): Promise<boolean>;
  /** Resolves when it answers that it is ready; false where it does not within `withinMs`. */
  untilReady(withinMs: number): Promise<boolean>;
};

const POLL_MS = 25;
const ANSWER_WITHIN_MS = 2_000;
const RESTART_WITHIN_MS = 60_000;

export type HurtInstance = Instance & {
  readonly healthPort: number;
  readonly environment: NodeJS.ProcessEnv;
  /** How many files and connections it may have open; what the machine allows where nothing is said. */
  readonly descriptors?: number | undefined;
  /** The clone that its next life is of. */
  release(): string;
};

/** Node takes all that it is allowed, so that the limit has to be set before it starts. */
const limited = ({ command, args }: ProcessSpec, descriptors: number | undefined) =>
  descriptors === undefined
    ? { command, args }
    : { command: '/bin/sh', args: ['-c', `ulimit -n ${descriptors} && exec "$0" "$@"`, command, ...args] };

export const startServiceProcess = (
  supervisor: Supervisor,
  { service, name, healthPort, environment, descriptors, release }: HurtInstance,
): ServiceProcess => {
  const spec = toProcessSpec({ service, name }, { ...environment, NODE_ENV: 'test' }, healthPort);
  const lifeOf = (folder: string) => {
    const args = spec.args.map((word) => word.replace(workspaceRoot, folder));
    return limited({ ...spec, args }, descriptors);
  };
  let crashAt: string | undefined;
  let always: NodeJS.ProcessEnv = {};
  const supervised = supervisor.start({
    name,
    // Read once for each life.
    get command() {
      return lifeOf(release()).command;
    },
    get args() {
      return lifeOf(release()).args;
    },
    get env() {
      const crashPoint = crashAt;
      crashAt = undefined;
      return { ...spec.env, ...always, ...(crashPoint === undefined ? {} : { CRASH_AT: crashPoint }) };
    },
  });
  const health = `http://127.0.0.1:${healthPort}`;
  const signal = (signalName: NodeJS.Signals): void => {
    const { pid } = supervised;
    if (pid !== undefined) process.kill(pid, signalName);
  };
  const isReady = async (): Promise<boolean> => {
    try {
      return (await fetch(`${health}/ready`, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })).ok;
    } catch {
      return false; // not listening yet, or frozen
    }
  };
  const untilReady = (withinMs: number) => until(isReady, { withinMs, everyMs: POLL_MS });
  return {
    service,
    name,
    health,
    get pid() {
      return supervised.pid;
    },
    get restarts() {
      return supervised.restarts;
    },
    signal,
    crashNextLifeAt: (point) => {
      crashAt = point;
      signal('SIGKILL');
    },
    isReady,
    untilReady,
    restart: async (besides = always) => {
      always = besides;
      const lives = supervised.restarts;
      signal('SIGTERM');
      await until(() => supervised.restarts > lives, { withinMs: RESTART_WITHIN_MS, everyMs: POLL_MS });
      await untilReady(RESTART_WITHIN_MS);
    },
  };
};

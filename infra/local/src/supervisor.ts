import {
  type Backoff,
  type ProcessSpec,
  type SupervisedProcess,
  superviseProcess,
} from './supervised-process.ts';

export interface Supervisor {
  /** Starts a process and keeps it running until `stop`. */
  start(spec: ProcessSpec): SupervisedProcess;
  /** Stops all, the last started first, each waited for. Calling it again waits for the same end. */
  stop(): Promise<void>;
}

export interface SupervisorOptions {
  readonly write?: (line: string) => void;
  readonly backoff?: Backoff;
}

/** Runs services as processes of their own, so that any of them can be killed. */
export const createSupervisor = ({
  write = (line) => void process.stdout.write(`${line}\n`),
  backoff = { firstMs: 100, mostMs: 10_000 },
}: SupervisorOptions = {}): Supervisor => {
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

import type { listInstances } from '@tds/local';
import type { ServiceProcess } from '../service-process.ts';
import { until } from '../until.ts';
import { hurtContainer } from './container.ts';
import { findAddress } from './docker.ts';

const HEALTH_PORT = 9090;
const POLL_MS = 100;
const ANSWER_WITHIN_MS = 2_000;
const RESTART_WITHIN_MS = 60_000;

export type ContainerOfService = ReturnType<typeof listInstances>[number] & {
  readonly container: string;
  /** In which its health is asked for. */
  readonly network: string;
  /** Done each time that it has been started. */
  onStart(): Promise<void>;
};

/** One instance of one service in a container, which gets another address with each of its lives. */
export const containerProcess = async (
  spec: ContainerOfService,
): Promise<ServiceProcess & { attach(): Promise<void> }> => {
  const { service, name, container, network, onStart } = spec;
  const { signal, stop, restart } = hurtContainer(container);
  let restarts = 0;
  let health = '';
  const check = async () => {
    health = `http://${await findAddress(container, network)}:${HEALTH_PORT}`;
  };
  /** To the life that it has now. */
  const attach = async () => {
    await check();
    await onStart();
  };
  await attach();
  const isReady = async (): Promise<boolean> => {
    try {
      return (await fetch(`${health}/ready`, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })).ok;
    } catch {
      await check();
      return false; // not listening yet, or frozen
    }
  };
  const untilReady = (withinMs: number) => until(isReady, { withinMs, everyMs: POLL_MS });
  const hurt = async (signalName: NodeJS.Signals): Promise<void> => {
    await signal(signalName);
    if (signalName === 'SIGSTOP' || signalName === 'SIGCONT') return;
    restarts += 1;
    await attach();
  };
  return {
    service,
    name,
    attach,
    get health() {
      return health;
    },
    pid: undefined,
    get restarts() {
      return restarts;
    },
    signal: hurt,
    crashNextLifeAt: () => {
      throw new Error('a container dies where it is killed');
    },
    isReady,
    untilReady,
    stop,
    start: async () => {
      await restart();
      restarts += 1;
      await attach();
      await untilReady(RESTART_WITHIN_MS);
    },
    restart: async () => {
      await hurt('SIGTERM');
      await untilReady(RESTART_WITHIN_MS);
    },
  };
};

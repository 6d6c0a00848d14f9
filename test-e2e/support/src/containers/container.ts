import type { HurtServer } from '../hurt-system.ts';
import { docker } from './docker.ts';

/** A container that is ended by name stays so until the same test starts it. */
const killAndStart = async (name: string): Promise<void> => {
  await docker('kill', name);
  await docker('start', name);
};

const actions: Readonly<Record<string, (name: string) => Promise<unknown>>> = {
  SIGKILL: killAndStart,
  SIGTERM: (name) => docker('restart', '--time', '25', name),
  SIGQUIT: async (name) => {
    await docker('kill', '--signal', 'QUIT', name);
    await docker('wait', name);
    await docker('start', name);
  },
  SIGSTOP: (name) => docker('pause', name),
  SIGCONT: (name) => docker('unpause', name),
};

export const hurtContainer = (name: string): HurtServer => ({
  signal: async (signal) => {
    const act = actions[signal];
    if (act === undefined) throw new Error(`${signal} means nothing to a container`);
    await act(name);
  },
  stop: async (signal = 'SIGTERM') =>
    void (await docker(...(signal === 'SIGKILL' ? ['kill'] : ['stop']), name)),
  restart: async () => void (await docker('start', name)),
});

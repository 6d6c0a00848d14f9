import type { HurtServer } from '../hurt-system.ts';
import { docker } from './docker.ts';

const GIVEN_ADDRESSES =
  '{{range $name, $network := .NetworkSettings.Networks}}{{with $network.IPAMConfig}}{{if .IPv4Address}}{{$name}} {{end}}{{end}}{{end}}';

/** The addresses that it was given back after an isolation may be another container's by now: it takes others. */
const start = async (name: string): Promise<void> => {
  const again = async () => {
    const given = (await docker('inspect', '--format', GIVEN_ADDRESSES, name)).split(' ');
    for (const network of given.filter(Boolean)) {
      await docker('network', 'disconnect', '--force', network, name);
      await docker('network', 'connect', network, name);
    }
    await docker('start', name);
  };
  await docker('start', name).catch(again);
};

/** A container that is ended by name stays so until the same test starts it. */
const killAndStart = async (name: string): Promise<void> => {
  await docker('kill', name);
  await start(name);
};

const actions: Readonly<Record<string, (name: string) => Promise<unknown>>> = {
  SIGKILL: killAndStart,
  SIGTERM: async (name) => {
    await docker('stop', '--time', '25', name);
    await start(name);
  },
  SIGQUIT: async (name) => {
    await docker('kill', '--signal', 'QUIT', name);
    await docker('wait', name);
    await start(name);
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
  restart: () => start(name),
});

import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { findServer } from './find-server.ts';
import { onFreePort } from './free-port.ts';
import { type LifeOptions, type RunningServer, runServer } from './running-server.ts';
import { endStaleServer } from './stale-server.ts';

export interface NatsOptions extends LifeOptions {
  /** Its folder: configuration, log and streams. */
  readonly dir: string;
  readonly port?: number | undefined;
  readonly throwaway?: boolean;
  /** Further lines of its configuration, such as `authorization`. */
  readonly extraConfig?: string;
}

export interface RunningNats extends RunningServer {
  /** As the clients take it: `127.0.0.1:port`. */
  readonly servers: string;
}

/** Nothing here that nats-server 2.9 does not know. */
const configuration = (port: number, storeDir: string, extra: string): string => `
listen: "127.0.0.1:${port}"
write_deadline: "10s"
jetstream {
  store_dir: ${JSON.stringify(storeDir)}
  max_memory_store: 268435456
  max_file_store: 10737418240
}
${extra}
`;

/** The server greets with INFO as soon as it takes clients. */
const greets = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: 1_000 });
    const answer = (value: boolean) => {
      socket.destroy();
      resolve(value);
    };
    socket.once('data', (data) => answer(data.toString().startsWith('INFO')));
    socket.once('error', () => answer(false));
    socket.once('timeout', () => answer(false));
  });

/** Starts NATS with JetStream on its folder. Only the loopback interface reaches it. */
export const ensureNats = async (options: NatsOptions): Promise<RunningNats> => {
  const { throwaway = false, keepAlive, onEvent, extraConfig = '' } = options;
  const { command, env } = await findServer('nats-server');
  mkdirSync(options.dir, { recursive: true });
  const dir = realpathSync(options.dir);
  await endStaleServer('NATS', dir, 'SIGTERM');
  const configFile = path.join(dir, 'nats.conf');

  const server = await onFreePort(options.port, async (port) => {
    writeFileSync(configFile, configuration(port, path.join(dir, 'streams'), extraConfig), { mode: 0o600 });
    return runServer({
      port,
      keepAlive,
      onEvent,
      spec: {
        name: 'NATS',
        dir,
        command,
        args: ['--config', configFile],
        env,
        stopSignal: 'SIGTERM',
        isReady: () => greets(port),
        readyWithinMs: 30_000,
        throwaway,
      },
    });
  });
  return Object.assign(server, { servers: `127.0.0.1:${server.port}` });
};

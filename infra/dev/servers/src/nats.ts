import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { findServer } from './find-server.ts';
import { answersOn, type RunningServer, type ServerOptions, startProgram } from './running-server.ts';
import type { ServerBinary } from './server-versions.ts';

export interface NatsOptions extends ServerOptions {
  /** Further lines of its configuration, such as `authorization`. */
  readonly extraConfig?: string;
  /** Another one than the machine's. */
  readonly program?: ServerBinary | undefined;
}

export interface RunningNats extends RunningServer {
  /** As the clients take it: `127.0.0.1:port`. */
  readonly servers: string;
}

/** A broker drops a lost client or broker within seconds. By default it sends requests to it for minutes. */
export const natsTimeouts = 'write_deadline: "10s"\nping_interval: "3s"\nping_max: 2';

/** Uses only what nats-server 2.9 knows. */
const configuration = (port: number, storeDir: string, extra: string): string => `
listen: "127.0.0.1:${port}"
${natsTimeouts}
jetstream {
  store_dir: ${JSON.stringify(storeDir)}
  max_memory_store: 268435456
  max_file_store: 10737418240
}
${extra}
`;

/** Starts NATS with JetStream on its folder. Only the loopback interface reaches it. */
export const ensureNats = async (options: NatsOptions): Promise<RunningNats> => {
  const { extraConfig = '' } = options;
  const program = {
    ...(options.program ?? (await findServer('nats-server'))),
    name: 'NATS',
    argsAt: (port: number, dir: string) => {
      const file = path.join(dir, 'nats.conf');
      writeFileSync(file, configuration(port, path.join(dir, 'streams'), extraConfig), { mode: 0o600 });
      return ['--config', file];
    },
    // The server greets with INFO as soon as it takes clients.
    isReadyAt: (port: number) => answersOn(port, /^INFO/),
  };
  const server = await startProgram(program, options);
  return Object.assign(server, { servers: `127.0.0.1:${server.port}` });
};

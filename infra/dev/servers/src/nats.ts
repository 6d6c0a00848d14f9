import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { findServer } from './find-server.ts';
import { answersOn, type RunningServer, type ServerOptions, startProgram } from './running-server.ts';
import type { ServerBinary } from './server-versions.ts';

export interface NatsOptions extends ServerOptions {
  /** Further lines of its configuration, such as `authorization`. */
  readonly extraConfig?: string;
  /** Of all streams. */
  readonly storeBytes?: number;
  /** Another one than the machine's. */
  readonly program?: ServerBinary | undefined;
}

/** `servers` is what clients take: `127.0.0.1:port`. */
export type RunningNats = RunningServer & { readonly servers: string };

/**
 * Uses only what nats-server 2.9 knows. A broker drops a lost client or broker within seconds; by default it sends requests to
 * it for minutes.
 */
export const natsConfiguration = (listen: string, store: string, extra: string): string => `
listen: "${listen}"
write_deadline: "10s"
ping_interval: "3s"
ping_max: 2
jetstream {
  max_memory_store: 268435456
  ${store}
}
${extra}
`;

/** Starts NATS with JetStream on its folder. Only the loopback interface reaches it. */
export const ensureNats = async (options: NatsOptions): Promise<RunningNats> => {
  const { extraConfig = '', storeBytes = 10 * 1_024 ** 3 } = options;
  const program = {
    ...(options.program ?? (await findServer('nats-server'))),
    name: 'NATS',
    argsAt: (port: number, dir: string) => {
      const file = path.join(dir, 'nats.conf');
      const store = `store_dir: ${JSON.stringify(path.join(dir, 'streams'))}, max_file_store: ${storeBytes}`;
      const configuration = natsConfiguration(`127.0.0.1:${port}`, store, extraConfig);
      writeFileSync(file, configuration, { mode: 0o600 });
      return ['--config', file];
    },
    // The server greets with INFO as soon as it takes clients.
    isReadyAt: (port: number) => answersOn(port, /^INFO/),
  };
  const server = await startProgram(program, options);
  return Object.assign(server, { servers: `127.0.0.1:${server.port}` });
};

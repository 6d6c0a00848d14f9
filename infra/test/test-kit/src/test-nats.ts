import { rmSync } from 'node:fs';
import path from 'node:path';
import { proven } from '@tds/jest';
import { ensureNats, freePort, type NatsOptions } from '@tds/servers';
import { findOldestNats, sharedAddress, throwawayFolder } from '@tds/servers/testing';
import { type TestServer, testServer } from './test-server.ts';

export interface TestNats extends TestServer {
  /** As the clients take it: `127.0.0.1:port`. */
  readonly servers: string;
  /** Ends it in order, so that it writes down all it knows; `start` brings it back. */
  shutDown(): Promise<void>;
  /** Starts it again without its streams. */
  wipe(): Promise<void>;
  /** The folder that holds a stream's messages, for tests that take some away while it is stopped. */
  messagesDir(stream: string): string;
}

/** The server that all test files share: what is published there, others may see. */
export const sharedNatsUrl = (): string => `nats://${sharedAddress('NATS_SERVERS')}`;

export type Broker = 'newest' | 'oldest';
/** Brokers differ in what they answer: what depends on it is proven on the newest and on the oldest that we support. */
export const BROKERS = proven<readonly Broker[]>(['newest'], ['newest', 'oldest']);

type NatsTestOptions = Pick<NatsOptions, 'extraConfig' | 'storeBytes'> & { readonly broker?: Broker };

/** A server for one test file, to have streams of its own or to be hurt. */
export const startTestNats = async ({
  broker = 'newest',
  ...options
}: NatsTestOptions = {}): Promise<TestNats> => {
  const dir = throwawayFolder('nats');
  const program = broker === 'oldest' ? await findOldestNats() : undefined;
  const server = await ensureNats({ dir, throwaway: true, program, ...options });
  return {
    ...testServer(server, dir),
    servers: server.servers,
    shutDown: () => server.stop(),
    messagesDir: (stream) => path.join(dir, 'streams/jetstream/$G/streams', stream, 'msgs'),
    wipe: async () => {
      await server.stop();
      rmSync(path.join(dir, 'streams'), { recursive: true, force: true });
      await server.restart();
    },
  };
};

/** Servers of one cluster, n0, n1 and so on, over which streams can be replicated. */
export const startTestNatsCluster = async (count: number, broker?: Broker): Promise<TestNats[]> => {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = await freePort();
    if (!ports.includes(port)) ports.push(port);
  }
  const routes = ports.map((port) => `"nats-route://127.0.0.1:${port}"`).join(', ');
  const configOf = (port: number, n: number) => `
server_name: "n${n}"
cluster { name: "test", listen: "127.0.0.1:${port}", routes: [${routes}] }`;
  return Promise.all(
    ports.map((port, n) => startTestNats({ extraConfig: configOf(port, n), ...(broker ? { broker } : {}) })),
  );
};

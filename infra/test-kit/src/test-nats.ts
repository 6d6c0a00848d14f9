import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureNats, freePort } from '@tds/servers';
import { sharedAddress } from '@tds/servers/testing';

export interface TestNats {
  /** As the clients take it: `127.0.0.1:port`; the same through all that happens to the server. */
  readonly servers: string;
  /** Ends it in order and removes its folder. */
  stop(): Promise<void>;
  /** Ends it without warning; `start` brings it back with what it has written. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Ends it in order, so that it writes down all it knows; `start` brings it back. */
  shutDown(): Promise<void>;
  /** Freezes it: connections stay open without answers. */
  pause(): void;
  resume(): void;
  /** Starts it again without its streams. */
  wipe(): Promise<void>;
  /** The folder that holds a stream's messages, for tests that take some away while it is stopped. */
  messagesDir(stream: string): string;
}

/** The server that all test files share: what is published there, others may see. */
export const sharedNatsUrl = (): string => `nats://${sharedAddress('NATS_SERVERS')}`;

/** A server for one test file, to have streams of its own or to be hurt. */
export const startTestNats = async (extraConfig = ''): Promise<TestNats> => {
  const dir = mkdtempSync(path.join(tmpdir(), 'tds-test-nats-'));
  const server = await ensureNats({ dir, throwaway: true, extraConfig });
  return {
    servers: server.servers,
    stop: async () => {
      server.signal('SIGCONT');
      await server.stop();
      rmSync(dir, { recursive: true, force: true });
    },
    kill: () => server.stop('SIGKILL'),
    start: () => server.restart(),
    shutDown: () => server.stop(),
    pause: () => server.pause(),
    resume: () => server.signal('SIGCONT'),
    messagesDir: (stream) => path.join(dir, 'streams/jetstream/$G/streams', stream, 'msgs'),
    wipe: async () => {
      await server.stop();
      rmSync(path.join(dir, 'streams'), { recursive: true, force: true });
      await server.restart();
    },
  };
};

/** Servers of one cluster, n0, n1 and so on, over which streams can be replicated. */
export const startTestNatsCluster = async (count: number): Promise<TestNats[]> => {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = await freePort();
    if (!ports.includes(port)) ports.push(port);
  }
  const routes = ports.map((port) => `"nats-route://127.0.0.1:${port}"`).join(', ');
  const configOf = (port: number, n: number) => `
server_name: "n${n}"
cluster { name: "test", listen: "127.0.0.1:${port}", routes: [${routes}] }`;
  return Promise.all(ports.map((port, n) => startTestNats(configOf(port, n))));
};

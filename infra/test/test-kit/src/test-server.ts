import { rmSync } from 'node:fs';
import type { RunningServer } from '@tds/servers';

/** A server of one test file, to be hurt. It keeps its address. */
export interface TestServer {
  /** Ends it in order and removes its folder. */
  stop(): Promise<void>;
  /** Ends it without warning. Redis loses its keys, NATS keeps what it has written. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Freezes it: connections stay open without answers. */
  pause(): void;
  resume(): void;
}

export const testServer = (server: RunningServer, dir: string): TestServer => ({
  stop: async () => {
    server.signal('SIGCONT');
    await server.stop();
    rmSync(dir, { recursive: true, force: true });
  },
  kill: () => server.stop('SIGKILL'),
  start: () => server.restart(),
  pause: () => server.pause(),
  resume: () => server.signal('SIGCONT'),
});

import type { ChildProcess } from 'node:child_process';
import { mkdirSync, realpathSync } from 'node:fs';
import { connect } from 'node:net';
import { onFreePort } from './free-port.ts';
import { delay, endChild, pauseProcess } from './processes.ts';
import { endStaleServer, launchServer, type ServerSpec } from './server-process.ts';

export interface RunningServer {
  readonly port: number;
  /** Changes with a restart. */
  readonly pid: number;
  signal(signal: NodeJS.Signals): void;
  /** Freezes it until SIGCONT: connections stay open without an answer. */
  pause(): void;
  /** Ends it and waits until it is gone; by default in order, by force if that takes over 15 s. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Stops it if it runs, and starts it again on the same port and data. */
  restart(): Promise<void>;
}

export interface LifeOptions {
  /** Starts it again if it dies by itself. */
  readonly keepAlive?: boolean | undefined;
  /** Called with one line when it died and when it is back. */
  readonly onEvent?: ((line: string) => void) | undefined;
}

export interface Life extends LifeOptions {
  readonly port: number;
  readonly spec: ServerSpec;
  /** Repairs before each start. */
  readonly beforeStart?: (() => Promise<void>) | undefined;
}

/** Tries to start it again, ever more rarely, until it runs or is stopped. */
const revive = async (
  { spec, onEvent }: Pick<Life, 'spec' | 'onEvent'>,
  start: () => Promise<void>,
  isWanted: () => boolean,
): Promise<void> => {
  for (let waitMs = 100; isWanted(); waitMs = Math.min(waitMs * 2, 5_000)) {
    try {
      await start();
      onEvent?.(`${spec.name} is back`);
      return;
    } catch (error) {
      onEvent?.(`${spec.name}: ${error}`);
      await delay(waitMs);
    }
  }
};

/** Starts a server and keeps the handle on it through its lives. */
export const runServer = async ({
  spec,
  port,
  beforeStart,
  keepAlive,
  onEvent,
}: Life): Promise<RunningServer> => {
  let wanted = true;
  let child: ChildProcess;
  let reviving: Promise<void> | undefined;

  const start = async (): Promise<void> => {
    await beforeStart?.();
    child = await launchServer(spec);
    child.once('exit', (code, signal) => {
      if (!wanted || !keepAlive) return;
      onEvent?.(`${spec.name} ended with ${signal ?? code}: starting it again`);
      reviving = revive({ spec, onEvent }, start, () => wanted);
    });
  };

  const stop = async (signal: NodeJS.Signals = spec.stopSignal): Promise<void> => {
    wanted = false;
    await reviving;
    await endChild(child, { signal });
  };

  await start();
  return {
    port,
    get pid() {
      return child.pid ?? 0;
    },
    signal: (signal) => void child.kill(signal),
    pause: () => {
      if (child.pid !== undefined) pauseProcess(child.pid);
    },
    stop,
    restart: async () => {
      await stop();
      wanted = true;
      await start();
    },
  };
};

export interface ServerOptions extends LifeOptions {
  /** The server's own folder: configuration, log and data. */
  readonly dir: string;
  /** A free one by default. */
  readonly port?: number | undefined;
  readonly throwaway?: boolean;
}

export type Program = Pick<ServerSpec, 'name' | 'command' | 'env'> & {
  /** Writes the configuration, and returns the arguments. */
  readonly argsAt: (port: number, dir: string) => readonly string[];
  readonly envAt?: (port: number, dir: string) => NodeJS.ProcessEnv;
  readonly isReadyAt: (port: number) => Promise<boolean>;
};

/** Starts a program on its folder and a port. Ends the server that a killed run left behind there. */
export const startProgram = async (
  { argsAt, envAt, isReadyAt, ...program }: Program,
  { dir: folder, port: preferredPort, throwaway = false, ...life }: ServerOptions,
): Promise<RunningServer> => {
  mkdirSync(folder, { recursive: true });
  const dir = realpathSync(folder);
  await endStaleServer(program.name, dir, 'SIGTERM');
  return onFreePort(preferredPort, (port) => {
    const isReady = () => isReadyAt(port);
    const [args, env] = [argsAt(port, dir), { ...program.env, ...envAt?.(port, dir) }];
    return runServer({
      ...{ port, keepAlive: life.keepAlive, onEvent: life.onEvent },
      spec: { ...program, env, dir, args, stopSignal: 'SIGTERM', isReady, throwaway },
    });
  });
};

/** Whether a server greets a connection, or answers `request`, with a text that matches. */
export const answersOn = (port: number, greeting: RegExp, request = ''): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: 5_000 });
    const answer = (value: boolean) => {
      socket.destroy();
      resolve(value);
    };
    socket.once('connect', () => socket.write(request));
    socket.once('data', (data) => answer(greeting.test(data.toString())));
    socket.once('error', () => answer(false));
    socket.once('timeout', () => answer(false));
  });

import { fork } from 'node:child_process';
import path from 'node:path';
import { processEnvironment } from '@tds/servers';

export const serverNames = ['postgres', 'nats', 'redis', 'redis-cache'] as const;
export type ServerName = (typeof serverNames)[number];

/** What becomes of the bytes between one process and one server. */
export type Weather = {
  /** Each way. */
  readonly delayMs: number;
  /** Of a thousand pieces that a process sends, the number at which the connection is reset instead. */
  readonly resetShare: number;
  /** The direction in which nothing gets through; it lies and is delivered later, as TCP does. */
  readonly held: 'asks' | 'answers' | null;
};

export const fairWeather: Weather = { delayMs: 0, resetShare: 0, held: null };

export type ToNetwork =
  | { readonly open: string; readonly port: number }
  | { readonly links: readonly string[]; readonly weather: Weather };
export type FromNetwork = { readonly opened: string; readonly port: number };

export type Network = {
  /** The port at which `process` reaches the server that listens on `port`. */
  open(process: string, server: ServerName, port: number): Promise<number>;
  /** Of one process, or of all, with one server. */
  setWeather(where: { readonly process?: string; readonly server: ServerName }, weather: Weather): void;
  close(): Promise<unknown>;
};

const nameOf = (process: string, server: ServerName): string => `${process} ${server}`;

/** The network between the processes of a system and its servers. The seed decides which pieces meet a reset. */
export const startNetwork = (seed: number): Network => {
  const child = fork(path.join(import.meta.dirname, 'network-process.ts'), [String(seed)], {
    env: processEnvironment(),
    execArgv: [],
  });
  const exit = new Promise((resolve) => child.once('exit', resolve));
  const send = (message: ToNetwork): void => void child.send(message);
  const names: string[] = [];
  const opening = new Map<string, (port: number) => void>();
  child.on('message', (message) => {
    const { opened, port } = message as FromNetwork;
    opening.get(opened)?.(port);
  });
  return {
    open: (process, server, port) => {
      const name = nameOf(process, server);
      names.push(name);
      send({ open: name, port });
      return new Promise((resolve) => opening.set(name, resolve));
    },
    setWeather: ({ process, server }, weather) =>
      send({
        links: process ? [nameOf(process, server)] : names.filter((name) => name.endsWith(` ${server}`)),
        weather,
      }),
    close: () => {
      child.kill('SIGKILL');
      return exit;
    },
  };
};

import { Worker } from 'node:worker_threads';

export const serverNames = ['postgres', 'nats', 'redis', 'redis-cache'] as const;
export type ServerName = (typeof serverNames)[number];

/** What becomes of the bytes between one process and one server. */
export type Weather = {
  /** Each way. */
  readonly delayMs: number;
  /** Of what a process sends: at so many of a thousandth pieces the connection is reset instead. */
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
  const thread = new Worker(new URL('./network-thread.ts', import.meta.url), { workerData: { seed } });
  const tell = (message: ToNetwork): void => thread.postMessage(message);
  const names: string[] = [];
  const opening = new Map<string, (port: number) => void>();
  thread.on('message', ({ opened, port }: FromNetwork) => opening.get(opened)?.(port));
  return {
    open: (process, server, port) => {
      const name = nameOf(process, server);
      names.push(name);
      tell({ open: name, port });
      return new Promise((resolve) => opening.set(name, resolve));
    },
    setWeather: ({ process, server }, weather) =>
      tell({
        links: process ? [nameOf(process, server)] : names.filter((name) => name.endsWith(` ${server}`)),
        weather,
      }),
    close: () => thread.terminate(),
  };
};

import { Agent, type Dispatcher, ProxyAgent } from 'undici';
import type { Limits } from '../config/limits.ts';
import type { Exit } from '../types.ts';

/** An exit with connections of its own; `cookie` is what the platform asked this address to show. */
export type OpenExit = {
  readonly name: string;
  readonly isProxied: boolean;
  readonly dispatcher: Dispatcher;
  cookie: string | null;
};

const CONNECTIONS_PER_EXIT = 64;

const dispatcherFor = (exit: Exit, limits: Limits): Dispatcher => {
  const options = {
    connections: CONNECTIONS_PER_EXIT,
    connect: { timeout: limits.connectMs },
    headersTimeout: limits.headersMs,
    bodyTimeout: limits.bodyIdleMs,
  };
  return exit.proxyUrl === undefined
    ? new Agent(options)
    : new ProxyAgent({
        ...options,
        uri: exit.proxyUrl,
        proxyTunnel: true,
        proxyTls: { timeout: limits.connectMs },
      });
};

export const openExit = (exit: Exit, limits: Limits): OpenExit => ({
  name: exit.name,
  isProxied: exit.proxyUrl !== undefined,
  dispatcher: dispatcherFor(exit, limits),
  cookie: null,
});

export const directExit: readonly Exit[] = [{ name: 'direct' }];

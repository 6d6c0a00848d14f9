import { freePort } from '@tds/servers';
import type { Bench } from '../benchmark.ts';
import { type Helper, startHelper } from './helper.ts';
import { type ServiceProcess, startServiceProcess } from './service-process.ts';

/** The services that answer a transcript, each in a process of its own, and the platform. */
export type BenchSystem = AsyncDisposable & {
  readonly port: number;
  /** Listens on `port`. */
  readonly gateway: ServiceProcess;
  readonly behind: readonly ServiceProcess[];
  readonly platform: Helper;
  readonly platformOrigin: string;
};

type SystemOptions = {
  /** Services beside those that answer a transcript. */
  readonly extraServices?: readonly string[];
  /** Settings that differ from a local run, by service. */
  readonly settings?: Readonly<Record<string, NodeJS.ProcessEnv>>;
};

export async function startBenchSystem(
  bench: Bench,
  { extraServices = [], settings = {} }: SystemOptions = {},
): Promise<BenchSystem> {
  await using started = new AsyncDisposableStack();
  const platform = started.use(await startHelper('timed-simulator'));
  const platformOrigin = await platform.ask<string>('origin');
  const port = await freePort();
  const start = async (service: string) => {
    const options = { port, platformOrigin, settings: settings[service] ?? {} };
    return started.use(await startServiceProcess(bench, service, options));
  };
  const services = ['credits-ledger', 'identity', 'transcript-fetcher', ...extraServices];
  const behind = await Promise.all(services.map(start));
  const gateway = await start('gateway');
  const parts = started.move();
  return {
    port,
    gateway,
    behind,
    platform,
    platformOrigin,
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

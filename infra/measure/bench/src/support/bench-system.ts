import { freePort } from '@tds/servers';
import type { Bench } from '../benchmark.ts';
import { type Helper, startHelper } from './helper.ts';
import { type ServiceProcess, startServiceProcess } from './service-process.ts';

/** The services that answer a transcript, each in a process of its own, and the platform. */
export type BenchSystem = AsyncDisposable & {
  readonly port: number;
  /** The process id of the first gateway, which listens on `port`. */
  readonly gatewayPid: number;
  readonly gateways: readonly (ServiceProcess & { readonly port: number })[];
  readonly behind: readonly ServiceProcess[];
  readonly platform: Helper;
  readonly platformOrigin: string;
};

type SystemOptions = {
  /** Services beside those that answer a transcript. */
  readonly more?: readonly string[];
  readonly gatewayCount?: number;
  /** Settings that differ from a local run, by service. */
  readonly settings?: Readonly<Record<string, NodeJS.ProcessEnv>>;
};

export async function startBenchSystem(
  bench: Bench,
  { more = [], gatewayCount = 1, settings = {} }: SystemOptions = {},
): Promise<BenchSystem> {
  await using started = new AsyncDisposableStack();
  const platform = started.use(await startHelper('timed-simulator'));
  const platformOrigin = await platform.ask<string>('origin');
  const port = await freePort();
  const start = (service: string, own: number) =>
    startServiceProcess(bench, service, { port: own, platformOrigin, settings: settings[service] ?? {} });
  const startAll = (all: readonly (readonly [service: string, own: number])[]) =>
    Promise.all(all.map(async ([service, own]) => started.use(await start(service, own))));
  const services = ['credits-ledger', 'identity', 'transcript-fetcher', ...more];
  const behind = await startAll(services.map((service) => [service, port]));
  const ports = [port];
  while (ports.length < gatewayCount) ports.push(await freePort());
  const gateways = (await startAll(ports.map((own) => ['gateway', own]))).map((gateway, at) => ({
    ...gateway,
    port: ports[at] ?? port,
  }));
  const parts = started.move();
  return {
    ...{ port, gatewayPid: gateways[0]?.pid ?? 0, gateways, behind, platform, platformOrigin },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

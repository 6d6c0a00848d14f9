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
  readonly gatewaySettings?: NodeJS.ProcessEnv;
};

export async function startBenchSystem(
  bench: Bench,
  { more = [], gatewayCount = 1, gatewaySettings: settings = {} }: SystemOptions = {},
): Promise<BenchSystem> {
  await using started = new AsyncDisposableStack();
  const platform = started.use(await startHelper('timed-simulator'));
  const platformOrigin = await platform.ask<string>('origin');
  const port = await freePort();
  const behind: ServiceProcess[] = [];
  for (const service of ['credits-ledger', 'identity', 'transcript-fetcher', ...more])
    behind.push(started.use(await startServiceProcess(bench, service, { port, platformOrigin })));
  const gateways: BenchSystem['gateways'][number][] = [];
  while (gateways.length < gatewayCount) {
    const own = gateways.length === 0 ? port : await freePort();
    const running = await startServiceProcess(bench, 'gateway', { port: own, platformOrigin, settings });
    gateways.push({ ...started.use(running), port: own });
  }
  const parts = started.move();
  return {
    ...{ port, gatewayPid: gateways[0]?.pid ?? 0, gateways, behind, platform, platformOrigin },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

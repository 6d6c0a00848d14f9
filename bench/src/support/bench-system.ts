import { freePort } from '@tds/servers';
import type { Bench } from '../benchmark.ts';
import { type Helper, startHelper } from './helper.ts';
import { type ServiceProcess, startServiceProcess } from './service-process.ts';

/** The services that answer a transcript, each a process of its own, and the platform. */
export type BenchSystem = {
  readonly port: number;
  readonly gateways: readonly (ServiceProcess & { readonly port: number })[];
  readonly behind: readonly ServiceProcess[];
  readonly platform: Helper;
  readonly platformOrigin: string;
  stop(): Promise<void>;
};

export async function startBenchSystem(
  bench: Bench,
  gatewayCount = 1,
  /** Services beside those that answer a transcript. */
  more: readonly string[] = [],
  /** Of the gateways. */
  settings: NodeJS.ProcessEnv = {},
): Promise<BenchSystem> {
  const servers = await bench.servers();
  const platform = await startHelper('timed-simulator');
  const started: { stop(): Promise<void> }[] = [platform];
  const stop = async () => {
    for (const part of started.splice(0).reverse()) await part.stop();
  };
  try {
    const platformOrigin = await platform.ask<string>('origin');
    const start = async (service: string, port: number) => {
      const running = await startServiceProcess({
        service,
        servers,
        port,
        platformOrigin,
        dir: bench.dir,
        profileDir: bench.profileDir,
        settings: service === 'gateway' ? settings : {},
      });
      started.push(running);
      return { ...running, port };
    };
    const port = await freePort();
    const behind = [];
    for (const service of ['credits-ledger', 'identity', 'transcript-fetcher', ...more]) {
      behind.push(await start(service, port));
    }
    const gateways = [await start('gateway', port)];
    while (gateways.length < gatewayCount) gateways.push(await start('gateway', await freePort()));
    return { port, gateways, behind, platform, platformOrigin, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

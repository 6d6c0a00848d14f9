import path from 'node:path';
import { startPlatformSimulator } from '@tds/platform-simulator';
import { freePort, workspaceRoot } from '@tds/servers';
import { environments } from './environments.ts';
import { startMailCatcher } from './mail-catcher.ts';
import { type ServersOptions, startServers } from './servers.ts';
import { loadServices, serviceNames } from './services.ts';
import { createSupervisor } from './supervisor.ts';
import { untilReady } from './until-ready.ts';

export type Endpoints = {
  readonly gateway: string;
  readonly mailbox: string | null;
  readonly platform: string;
  readonly postgres: string;
  readonly nats: string;
  readonly redis: string;
  readonly redisCache: string;
};

export type SystemOptions = ServersOptions & {
  readonly port: number;
  /** One process for each service, started again when it dies, instead of one for all. */
  readonly processes?: boolean;
};

export type System = { readonly endpoints: Endpoints; stop(): Promise<void> };

/** All services open their connections at once here: on a busy machine a late database is no absent one. */
const patience = { DATABASE_WAIT: '10s' };

/** Starts everything: servers, simulators, mail catcher, all services. Stops in reverse order. */
export async function startSystem(options: SystemOptions): Promise<System> {
  const { environment = {}, onStep } = options;
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const end of stops.splice(0).reverse()) await end();
  };
  try {
    const servers = await startServers(options);
    stops.push(() => servers.stop());
    const simulatorsDone = onStep?.('platform simulator and mail catcher');
    const simulator = environment.PLATFORM_ORIGIN ? null : await startPlatformSimulator({});
    if (simulator) stops.push(() => simulator.close());
    const mail = environment.SMTP_URL ? null : await startMailCatcher();
    if (mail) stops.push(() => mail.stop());
    simulatorsDone?.();
    const platform = environment.PLATFORM_ORIGIN ?? simulator?.origin ?? '';
    const smtpUrl = environment.SMTP_URL ?? mail?.smtpUrl ?? '';
    const outside = { port: options.port, platformOrigin: platform, smtpUrl };
    const servicesDone = onStep?.('services');
    const running = await start(environments(servers, outside, { ...patience, ...environment }), options);
    stops.push(running.stop);
    await running.ready;
    servicesDone?.();
    const { postgres, nats, redis, redisCache } = servers;
    const endpoints = {
      gateway: `http://127.0.0.1:${options.port}`,
      mailbox: mail?.url ?? null,
      platform,
      postgres: postgres.url,
      nats: nats.servers,
      redis: redis.url,
      redisCache: redisCache.url,
    };
    return { endpoints, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type RunningServices = { readonly ready: Promise<unknown>; stop(): Promise<void> };
type EnvironmentOf = Readonly<Record<string, NodeJS.ProcessEnv>>;

async function start(
  environmentOf: EnvironmentOf,
  { processes = false }: SystemOptions,
): Promise<RunningServices> {
  if (processes) return startProcesses(environmentOf);
  const { startServices } = await import('@tds/service-kit');
  const running = await startServices(await loadServices(), environmentOf);
  const ready = Promise.all(
    Object.values(running.addresses).map(({ health }) => untilReady(`${health}/ready`)),
  );
  return { ready, stop: () => running.stop() };
}

async function startProcesses(environmentOf: EnvironmentOf): Promise<RunningServices> {
  const supervisor = createSupervisor();
  const healthPorts = await Promise.all(serviceNames.map(() => freePort()));
  for (const [index, name] of serviceNames.entries()) {
    supervisor.start({
      name,
      command: process.execPath,
      args: [path.join(workspaceRoot, 'services', name, 'src/main.ts')],
      env: { ...environmentOf[name], HEALTH_PORT: String(healthPorts[index]) },
    });
  }
  return {
    ready: Promise.all(healthPorts.map((port) => untilReady(`http://127.0.0.1:${port}/ready`))),
    stop: () => supervisor.stop(),
  };
}

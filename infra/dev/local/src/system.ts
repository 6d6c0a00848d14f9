import path from 'node:path';
import { unlessAborted } from '@tds/base';
import type { StartOptions } from '@tds/kit';
import { loadServices } from '@tds/provisioning';
import { freePort } from '@tds/servers';
import { startMailCatcher } from '@tds/simulators/mail';
import { startPaymentSimulator } from '@tds/simulators/payment';
import { LOAD_VIDEO_COUNT, loadVideoId, startPlatformSimulator } from '@tds/simulators/platform';
import { startWebhookReceiver } from '@tds/simulators/webhooks';
import { environments, paymentSecretOf } from './environments.ts';
import { type KeptPorts, keepPorts } from './gateway-port.ts';
import { type InstanceCounts, listInstances, toProcessSpec } from './instances.ts';
import type { ScrapeTarget } from './scrape-targets.ts';
import { type Servers, type ServersOptions, startServers } from './servers.ts';
import { createSupervisor } from './supervisor.ts';
import { untilAllReady } from './until-ready.ts';

export type Endpoints = {
  readonly gateway: string;
  readonly mailbox: string | null;
  readonly platform: string;
  readonly payment: string;
  /** Shows the webhooks that are sent to `<webhooks>/hooks`. */
  readonly webhooks: string;
  readonly postgres: string;
  readonly nats: string;
  readonly redis: string;
  readonly redisCache: string;
};

export type SystemOptions = ServersOptions & {
  readonly port: number;
  /** The processes of each service, which are started again when they die, instead of one for all. */
  readonly processes?: InstanceCounts | undefined;
  /** Gets the lines that services write, in the place of standard output. */
  readonly records?: StartOptions['records'];
};

export type System = {
  readonly endpoints: Endpoints;
  readonly scrapeTargets: readonly ScrapeTarget[];
  stop(): Promise<void>;
};

/** Videos of the simulator that never end. */
const knownVideos = {
  CANARY_VIDEOS: [1, 2, 3].map((index) => loadVideoId(LOAD_VIDEO_COUNT - index)).join(','),
};

/** Enough connections for each process, the operator and commands. */
const connectionsFor = (processes: InstanceCounts) => ({
  max_connections: String(100 + 30 * listInstances(processes).length),
});

/** Starts everything: servers, simulators, mail catcher, all services. Stops in reverse order. */
export async function startSystem(options: SystemOptions): Promise<System> {
  const { environment = {}, onStep } = options;
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const end of stops.splice(0).reverse()) await end();
  };
  try {
    const postgresSettings = options.processes ? connectionsFor(options.processes) : {};
    const servers = await startServers({ postgresSettings, ...options });
    stops.push(() => servers.stop());
    const simulatorsDone = onStep?.('simulators, mail catcher and webhook receiver');
    const simulators = await startSimulators(servers, options, stops);
    simulatorsDone?.();
    const { simulator, mail, receiver } = simulators;
    const platform = environment.PLATFORM_ORIGIN || (simulator?.origin ?? '');
    const smtpUrl = environment.SMTP_URL || (mail?.smtpUrl ?? '');
    const paymentOrigin = environment.STRIPE_API_ORIGIN || (simulators.payment?.origin ?? '');
    const outside = { port: options.port, platformOrigin: platform, smtpUrl, paymentOrigin };
    const servicesDone = onStep?.('services');
    const settings = { ...(simulator && knownVideos), ...environment };
    const running = await start(await environments(servers, outside, settings), options);
    stops.push(running.stop);
    await (options.signal ? unlessAborted(running.ready, options.signal) : running.ready);
    servicesDone?.();
    const { postgres, nats, redis, redisCache } = servers;
    const endpoints = {
      gateway: `http://127.0.0.1:${options.port}`,
      mailbox: mail?.url ?? null,
      platform,
      payment: paymentOrigin,
      webhooks: receiver.url,
      postgres: postgres.url,
      nats: nats.servers,
      redis: redis.url,
      redisCache: redisCache.url,
    };
    return { endpoints, scrapeTargets: running.scrapeTargets, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts each part around the services, unless the environment names a real one, on the ports of the last run. */
const startSimulators = async (
  servers: Pick<Servers, 'secretOf'>,
  options: SystemOptions,
  stops: (() => Promise<unknown>)[],
) => {
  const { environment = {}, dir, onEvent } = options;
  const ports = await keepPorts(dir, onEvent);
  const simulator = environment.PLATFORM_ORIGIN ? null : await startPlatformSimulator({ port: ports.platform });
  if (simulator) stops.push(simulator.close);
  const mail = environment.SMTP_URL
    ? null
    : await startMailCatcher({ httpPort: ports.mail, smtpPort: ports.smtp });
  if (mail) stops.push(mail.stop);
  const payment = environment.STRIPE_API_ORIGIN ? null : await startPayment(servers, ports, options);
  if (payment) stops.push(payment.close);
  const receiver = await startWebhookReceiver({ port: ports.webhooks });
  stops.push(receiver.stop);
  return { simulator, mail, payment, receiver };
};

/** A payment processor that knows the gateway, and what it knew before a restart. */
const startPayment = (
  servers: Pick<Servers, 'secretOf'>,
  { payment }: KeptPorts,
  { dir, port }: SystemOptions,
) =>
  startPaymentSimulator({
    port: payment,
    file: path.join(dir, 'payments.json'),
    receiver: {
      url: `http://127.0.0.1:${port}/v1/billing/payment`,
      secret: paymentSecretOf(servers),
    },
  });

type RunningServices = {
  readonly ready: Promise<unknown>;
  readonly scrapeTargets: readonly ScrapeTarget[];
  stop(): Promise<void>;
};
type Environments = Readonly<Record<string, NodeJS.ProcessEnv>>;

async function start(environmentOf: Environments, options: SystemOptions): Promise<RunningServices> {
  if (options.processes) return startProcesses(environmentOf, options.processes, options);
  const { startServices } = await import('./start-services.ts');
  const running = await startServices(await loadServices(), environmentOf, options);
  const scrapeTargets = Object.entries(running.addresses).map(([service, { health = '' }]) => ({
    service,
    health,
  }));
  return {
    ready: untilAllReady(scrapeTargets, { onEvent: options.onEvent }),
    scrapeTargets,
    stop: () => running.stop(),
  };
}

async function startProcesses(
  environmentOf: Environments,
  counts: InstanceCounts,
  { onEvent, records }: SystemOptions,
): Promise<RunningServices> {
  const supervisor = createSupervisor(records && { write: (line) => records.write(`${line}\n`) });
  const instances = listInstances(counts);
  const healthPorts = await Promise.all(instances.map(() => freePort()));
  for (const [index, instance] of instances.entries())
    supervisor.start(
      toProcessSpec(instance, environmentOf[instance.service] ?? {}, Number(healthPorts[index])),
    );
  const scrapeTargets = instances.map(({ service }, index) => ({
    service,
    health: `http://127.0.0.1:${healthPorts[index]}`,
  }));
  return { ready: untilAllReady(scrapeTargets, { onEvent }), scrapeTargets, stop: () => supervisor.stop() };
}

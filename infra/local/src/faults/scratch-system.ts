import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { type PlatformSimulator, startPlatformSimulator } from '@tds/platform-simulator';
import { freePort } from '@tds/servers';
import { environments } from '../environments.ts';
import { type MailCatcher, startMailCatcher } from '../mail-catcher.ts';
import { type Servers, startServers } from '../servers.ts';
import { serviceNames } from '../services.ts';
import { createSupervisor } from '../supervisor.ts';
import { type ServiceProcess, startServiceProcess } from './service-process.ts';

/** A whole system of its own, every part of it a process that may be hurt. */
export type ScratchSystem = {
  readonly dir: string;
  readonly gateway: string;
  readonly servers: Servers;
  readonly simulator: PlatformSimulator;
  readonly mail: MailCatcher;
  readonly processes: readonly ServiceProcess[];
  /** The environment that a service runs in, for its operators' commands. */
  readonly environmentOf: Readonly<Record<string, NodeJS.ProcessEnv>>;
  /** What all services have written. */
  readonly logFile: string;
  stop(): Promise<void>;
};

export type ScratchOptions = {
  readonly dir: string;
  /** Faster, gone with this process, and durable against every death but the machine's own. */
  readonly throwaway: boolean;
  /** How many of each service; one where nothing is said. */
  readonly instances: Readonly<Record<string, number>>;
  readonly onEvent?: (line: string) => void;
  /** What every service is told besides. */
  readonly settings?: NodeJS.ProcessEnv;
};

/** Throwaway servers do not wait for their log: what they acknowledge would not outlive the server itself. */
const postgresSettings = { synchronous_commit: 'on' };
const READY_WITHIN_MS = 60_000;
/** Quick, because here they die on purpose. */
const backoff = { firstMs: 50, mostMs: 500 };

const instancesOf = (instances: ScratchOptions['instances']) =>
  serviceNames.flatMap((service) =>
    Array.from({ length: instances[service] ?? 1 }, (_, index) => ({ service, number: index + 1 })),
  );

export async function startScratchSystem(options: ScratchOptions): Promise<ScratchSystem> {
  const { dir, throwaway, onEvent } = options;
  await mkdir(dir, { recursive: true, mode: 0o711 });
  const logFile = path.join(dir, 'services.log');
  const log = createWriteStream(logFile);
  const servers = await startServers({ dir, throwaway, postgresSettings, ...(onEvent ? { onEvent } : {}) });
  const [simulator, mail, port] = await Promise.all([
    startPlatformSimulator({}),
    startMailCatcher(),
    freePort(),
  ]);
  const outside = { port, platformOrigin: simulator.origin, smtpUrl: mail.smtpUrl };
  const inherited = { PATH: process.env.PATH, LOG_LEVEL: 'info', ...options.settings };
  const environmentOf = environments(servers, outside, inherited);
  const supervisor = createSupervisor({ write: (line) => void log.write(`${line}\n`), backoff });
  const processes: ServiceProcess[] = [];
  for (const instance of instancesOf(options.instances)) {
    const environment = environmentOf[instance.service] ?? {};
    processes.push(
      startServiceProcess(supervisor, { ...instance, environment, healthPort: await freePort() }),
    );
  }
  const stop = async () => {
    for (const each of processes) each.signal('SIGCONT');
    await supervisor.stop();
    await Promise.all([simulator.close(), mail.stop()]);
    for (const server of [servers.nats, servers.redis]) server.signal('SIGCONT');
    await servers.stop();
    await new Promise((resolve) => log.end(resolve));
  };
  const ready = await Promise.all(processes.map((each) => each.untilReady(READY_WITHIN_MS)));
  if (!ready.every(Boolean)) {
    await stop();
    throw new Error(`the services were not ready within ${READY_WITHIN_MS / 1_000} s: see ${logFile}`);
  }
  const gateway = `http://127.0.0.1:${port}`;
  return { dir, gateway, servers, simulator, mail, processes, environmentOf, logFile, stop };
}

import { type ChildProcess, spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { environments, processOf, type Servers } from '@tds/local';
import { freePort, guardProcess } from '@tds/servers';

/** One service in a process of its own, as in production: its records go to a file, at the level `info`. */
export type ServiceProcess = {
  readonly service: string;
  readonly pid: number;
  /** Its private port. */
  readonly health: string;
  readonly logFile: string;
  stop(): Promise<void>;
};

export type ServiceOptions = {
  readonly service: string;
  readonly servers: Servers;
  readonly dir: string;
  readonly port: number;
  readonly platformOrigin: string;
  readonly profileDir: string | null;
  /** What differs from a local run. */
  readonly settings?: NodeJS.ProcessEnv;
};

const READY_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 25;
const STOP_WITHIN_MS = 15_000;
/** Nobody signs up by mail here. */
const NO_MAIL = 'smtp://127.0.0.1:9';
const NO_PAYMENT = 'http://127.0.0.1:9';

const untilReady = async (child: ChildProcess, health: string, logFile: string): Promise<void> => {
  const deadline = performance.now() + READY_WITHIN_MS;
  while (performance.now() < deadline && child.exitCode === null) {
    const answer = await fetch(`${health}/ready`).catch(() => null); // not listening yet
    if (answer?.ok) return;
    await delay(LOOK_EVERY_MS);
  }
  throw new Error(`a service did not become ready: see ${logFile}`);
};

const stopChild = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
  await gone;
  clearTimeout(force);
};

const profiling = ({ profileDir, service }: ServiceOptions): string[] =>
  profileDir === null
    ? []
    : ['--cpu-prof', `--cpu-prof-dir=${profileDir}`, `--cpu-prof-name=${service}-${Date.now()}.cpuprofile`];

export async function startServiceProcess(options: ServiceOptions): Promise<ServiceProcess> {
  const { service, servers, dir, port, platformOrigin } = options;
  const healthPort = await freePort();
  const inherited = { LOG_LEVEL: 'info', NODE_ENV: 'production' };
  const outside = { port, platformOrigin, smtpUrl: NO_MAIL, paymentOrigin: NO_PAYMENT };
  const environment = {
    ...(await environments(servers, outside, inherited))[service],
    ...options.settings,
  };
  const name = `${service}-${healthPort}`;
  const { command, args, env } = processOf({ service, name }, environment, healthPort);
  const logFile = path.join(dir, `${name}.log`);
  const log = openSync(logFile, 'w');
  const child = spawn(command, [...profiling(options), ...args], { env, stdio: ['ignore', log, log] });
  const pid = child.pid as number;
  child.once('exit', guardProcess(pid, { signal: 'TERM' }));
  const health = `http://127.0.0.1:${healthPort}`;
  try {
    await untilReady(child, health, logFile);
  } catch (error) {
    await stopChild(child);
    throw error;
  }
  return { service, pid, health, logFile, stop: () => stopChild(child) };
}

/** The sum of a metric over those of its labels that `labels` (`route="getTranscript"`) names. */
export const readMetric = async (
  { health }: Pick<ServiceProcess, 'health'>,
  name: string,
  labels = '',
): Promise<number> => {
  const text = await (await fetch(`${health}/metrics`)).text();
  return text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) && line.includes(labels))
    .reduce((total, line) => total + Number(line.split(' ').at(-1)), 0);
};

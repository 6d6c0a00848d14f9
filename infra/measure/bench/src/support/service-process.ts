import { type ChildProcess, spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import path from 'node:path';
import { environments, toProcessSpec } from '@tds/local';
import { endChild, endWithParent, freePort } from '@tds/servers';
import type { Bench } from '../benchmark.ts';
import { until } from './databases.ts';

/** One service in a process of its own, as in production: it logs to a file, at the level `info`. */
export type ServiceProcess = AsyncDisposable & {
  readonly service: string;
  readonly pid: number;
  /** The origin of its private port. */
  readonly health: string;
  readonly logFile: string;
};

type Outside = Parameters<typeof environments>[1];
/** The outside of a service that is called over the bus only. */
export const NO_OUTSIDE: Outside = {
  port: 0,
  platformOrigin: 'http://127.0.0.1:9',
  smtpUrl: 'smtp://127.0.0.1:9',
  paymentOrigin: 'http://127.0.0.1:9',
};

export type ServiceOptions = {
  readonly port?: number;
  readonly platformOrigin?: string;
  /** Settings that differ from a local run. */
  readonly settings?: NodeJS.ProcessEnv;
  /** The folder of an image, in the place of sources. */
  readonly image?: string | undefined;
};

const READY_WITHIN_MS = 60_000;
const POLL_MS = 25;
/** Production refuses the hosts of a trial. */
const REACHED = { PUBLIC_URL: 'https://bench.tds', SUPPORT_EMAIL: 'a@bench.tds', MAIL_FROM: 'a@bench.tds' };

const untilReady = async (child: ChildProcess, health: string, logFile: string): Promise<void> => {
  const findMissing = async () => {
    if (child.exitCode !== null) throw new Error(`a service ended: see ${logFile}`);
    const answer = await fetch(`${health}/ready`).catch(() => null); // not listening yet
    return answer?.ok ? null : `a service did not become ready: see ${logFile}`;
  };
  await until(findMissing, { everyMs: POLL_MS, withinMs: READY_WITHIN_MS });
};

const profiling = (profileDir: string | null, service: string): string[] =>
  profileDir === null
    ? []
    : ['--cpu-prof', `--cpu-prof-dir=${profileDir}`, `--cpu-prof-name=${service}-${Date.now()}.cpuprofile`];

export async function startServiceProcess(
  { dir, profileDir, servers }: Bench,
  service: string,
  { settings, image, ...outside }: ServiceOptions = {},
): Promise<ServiceProcess> {
  const healthPort = await freePort();
  const inherited = { LOG_LEVEL: 'info', NODE_ENV: 'production', ...REACHED };
  const all = await environments(servers, { ...NO_OUTSIDE, ...outside }, inherited);
  const environment = { ...all[service], ...settings };
  const name = `${service}-${healthPort}`;
  const spec = toProcessSpec({ service, name }, environment, healthPort);
  const { command, env } = spec;
  const args = image ? [path.join(image, 'services', service, 'src/main.js')] : spec.args;
  const logFile = path.join(dir, `${name}.log`);
  const log = openSync(logFile, 'w');
  const child = spawn(command, [...profiling(profileDir, service), ...args], {
    env,
    stdio: ['ignore', log, log],
  });
  const pid = child.pid as number;
  child.once('exit', endWithParent(pid, { signal: 'TERM' }));
  const health = `http://127.0.0.1:${healthPort}`;
  try {
    await untilReady(child, health, logFile);
  } catch (error) {
    await endChild(child);
    throw error;
  }
  return { service, pid, health, logFile, [Symbol.asyncDispose]: () => endChild(child) };
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

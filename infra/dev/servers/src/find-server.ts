import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { findOrUnpack, unpackPackages, unpackRedis } from './debian-packages.ts';
import { toolsDir } from './paths.ts';
import { NEWEST_DEBIAN } from './releases.ts';
import {
  describeRequirement,
  findSuitable,
  isExecutable,
  type ServerBinary,
  type ServerMatch,
} from './server-versions.ts';

const makers =
  'https://redis.io/docs/latest/operate/oss_and_stack/install and https://docs.nats.io/running-a-nats-service/introduction/installation';

/** By the family of the system. Fedora's family packages no NATS; the makers of NATS do. */
const commands: readonly (readonly [family: RegExp, command: string])[] = [
  [/debian|ubuntu/, 'sudo apt-get install redis-server nats-server'],
  [
    /fedora|rhel|centos|amzn/,
    'sudo dnf install redis, and the .rpm of https://github.com/nats-io/nats-server/releases',
  ],
  [/alpine/, 'sudo apk add redis nats-server'],
  [/suse/, 'sudo zypper install redis, and the .rpm of https://github.com/nats-io/nats-server/releases'],
  [/darwin/, 'brew install redis nats-server'],
];

/** `ID` and `ID_LIKE` of /etc/os-release, or the platform if that file is missing. */
const systemFamily = (): string => {
  if (!existsSync('/etc/os-release')) return process.platform;
  const lines = readFileSync('/etc/os-release', 'utf8').split('\n');
  return lines.filter((line) => /^ID(_LIKE)?=/.test(line)).join(' ');
};

/** Names the missing programs, why they were not fetched, and how to install them on this system. */
export const howToInstall = (
  missing: readonly string[],
  reason: string,
  family: string = systemFamily(),
): string => {
  const command = commands.find(([pattern]) => pattern.test(family))?.[1];
  return [
    `Missing on this machine: ${missing.join(' and ')}.`,
    `Not fetched: ${reason}`,
    `To install: ${command ?? `see ${makers}`}`,
    'Whatever is on PATH is used.',
  ].join('\n');
};

type ServerProgram = 'nats-server' | 'redis-server';
const programs: readonly ServerProgram[] = ['redis-server', 'nats-server'];
const dirs: Readonly<Record<ServerProgram, string>> = {
  'redis-server': path.join(toolsDir, 'servers'),
  'nats-server': path.join(toolsDir, 'nats'),
};

/** Folders of shared libraries below the unpacked packages: `usr/lib/<platform>` and those beside it. */
const libraryPath = (dir: string): string => {
  const lib = path.join(dir, 'usr/lib');
  const platforms = existsSync(lib) ? readdirSync(lib).filter((name) => name.includes('-linux-')) : [];
  const roots = [...platforms.map((name) => path.join(lib, name)), path.join(dir, 'lib'), lib];
  return roots.filter((root) => existsSync(root)).join(':');
};

const binariesOnPath = (name: string): ServerBinary[] =>
  [...(process.env.PATH ?? '').split(path.delimiter), '/usr/bin', '/usr/sbin', '/usr/local/bin']
    .filter(path.isAbsolute)
    .map((dir) => ({ command: path.join(dir, name), env: { PATH: process.env.PATH } }));

/** Debian's redis-server is a link to redis-check-rdb, which is the server under another name. */
export const unpackedBinaries = (name: string, dir: string): ServerBinary[] =>
  [path.join(dir, 'usr/bin', name), path.join(dir, 'usr/sbin', name)].map((command) => ({
    command,
    env: { PATH: process.env.PATH, LD_LIBRARY_PATH: libraryPath(dir) },
  }));

const findBinary = (name: ServerProgram): Promise<ServerMatch> =>
  findSuitable(name, [...binariesOnPath(name), ...unpackedBinaries(name, dirs[name])]);

/** In words, with the versions that are too old. */
const missingServers = async (): Promise<string[]> => {
  const matches = await Promise.all(programs.map(async (name) => ({ name, ...(await findBinary(name)) })));
  return matches.filter(({ binary }) => !binary).map(({ name, tooOld }) => describeRequirement(name, tooOld));
};

export interface FetchOptions {
  /** Aborts the download. */
  readonly signal?: AbortSignal;
  /** Called with each step; the function that it returns is called at the step's end. */
  readonly onStep?: (title: string) => () => void;
}

/** The newest NATS, else the one of the machine's release. */
const unpackNats = async (dir: string, signal?: AbortSignal): Promise<void> => {
  try {
    await unpackPackages(['nats-server'], dir, { signal, release: NEWEST_DEBIAN });
  } catch (error) {
    signal?.throwIfAborted();
    if ((await findBinary('nats-server')).binary) throw error;
    await unpackPackages(['nats-server'], dir, { signal });
  }
};

/** What is there stays until its successor is. */
const replaceDir = async (dir: string, fill: (dir: string) => Promise<void>): Promise<void> => {
  const successor = `${dir}.${process.pid}.new`;
  await fill(successor);
  rmSync(dir, { recursive: true, force: true });
  renameSync(successor, dir);
};

const unpackInto = { 'redis-server': unpackRedis, 'nats-server': unpackNats };

const fetchMissing = async ({ signal, onStep }: FetchOptions): Promise<void> => {
  const matches = await Promise.all(programs.map(async (name) => ({ name, ...(await findBinary(name)) })));
  const toFetch = matches.filter(({ isPreferred }) => !isPreferred);
  if (toFetch.length === 0) return;
  const done = onStep?.(`${toFetch.map(({ name }) => name).join(' and ')}, the first time`);
  const reasons: string[] = [];
  for (const { name } of toFetch) {
    await replaceDir(dirs[name], (dir) => unpackInto[name](dir, signal)).catch(
      (error: Error) => void reasons.push(error.message),
    );
  }
  const stillMissing = await missingServers();
  done?.();
  if (stillMissing.length > 0)
    throw new Error(howToInstall(stillMissing, reasons[0] ?? "what Debian's packages carry does not run here"));
};

let fetching: Promise<void> | undefined;

/**
 * Fetches Redis and NATS if they are missing, and the NATS of installations if this machine has an older one, which is used if
 * that fails. Rejects with a sentence that names what is missing, and how to install it.
 */
export const ensureServerPrograms = (options: FetchOptions = {}): Promise<void> => {
  fetching ??= fetchMissing(options);
  return fetching;
};

/** Finds a server on PATH or among the unpacked ones; otherwise unpacks it from Debian's packages. */
export const findServer = async (name: ServerProgram): Promise<ServerBinary> => {
  const { binary } = await findBinary(name);
  if (binary) return binary;
  await ensureServerPrograms();
  const { binary: fetched } = await findBinary(name);
  if (!fetched) throw new Error(`${describeRequirement(name)} is missing, though it was there a moment ago`);
  return fetched;
};

const prometheusDir = path.join(toolsDir, 'prometheus');

export type PrometheusPrograms = { readonly prometheus: string; readonly promtool: string };

/** Both from one folder, so that the server reads every file that the tool accepts. */
const findPrograms = async (): Promise<PrometheusPrograms | undefined> => {
  const candidates = [...binariesOnPath('prometheus'), ...unpackedBinaries('prometheus', prometheusDir)];
  const toolOf = ({ command }: ServerBinary) => path.join(path.dirname(command), 'promtool');
  const pairs = candidates.filter((candidate) => isExecutable(toolOf(candidate)));
  const { binary } = await findSuitable('prometheus', pairs);
  return binary && { prometheus: binary.command, promtool: toolOf(binary) };
};

/** Prometheus and its tool, on PATH or unpacked from Debian's packages; rejects with a sentence if both are missing. */
export const findPrometheus = (): Promise<PrometheusPrograms> =>
  findOrUnpack(findPrograms, {
    label: describeRequirement('prometheus'),
    ...{ packages: ['prometheus', 'promtool'], dir: prometheusDir, release: NEWEST_DEBIAN },
    install: 'see https://prometheus.io/download; whatever is on PATH is used',
  });

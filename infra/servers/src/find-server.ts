import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { findOrUnpack, unpackServers } from './debian-packages.ts';
import { toolsDir } from './paths.ts';
import {
  describeWanted,
  firstThatSuits,
  isExecutable,
  type Looked,
  type ServerBinary,
  type ServerName,
  serverNames,
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
  why: string,
  family: string = systemFamily(),
): string => {
  const command = commands.find(([pattern]) => pattern.test(family))?.[1];
  return [
    `Missing on this machine: ${missing.join(' and ')}.`,
    `Not fetched: ${why}`,
    `To install: ${command ?? `see ${makers}`}`,
    'Whatever is on PATH is used.',
  ].join('\n');
};

const unpackedDir = path.join(toolsDir, 'servers');

/** Folders of shared libraries below the unpacked packages: `usr/lib/<platform>` and those beside it. */
const libraryPath = (): string => {
  const lib = path.join(unpackedDir, 'usr/lib');
  const platforms = existsSync(lib) ? readdirSync(lib).filter((name) => name.includes('-linux-')) : [];
  const roots = [...platforms.map((name) => path.join(lib, name)), path.join(unpackedDir, 'lib'), lib];
  return roots.filter((dir) => existsSync(dir)).join(':');
};

const onPath = (name: string): ServerBinary[] =>
  [...(process.env.PATH ?? '').split(path.delimiter), '/usr/bin', '/usr/sbin', '/usr/local/bin']
    .filter(path.isAbsolute)
    .map((dir) => ({ command: path.join(dir, name), env: { PATH: process.env.PATH } }));

/** Debian's redis-server is a link to redis-check-rdb, which is the server under another name. */
const unpacked = (name: string): ServerBinary[] =>
  [path.join(unpackedDir, 'usr/bin', name), path.join(unpackedDir, 'usr/sbin', name)].map((command) => ({
    command,
    env: { PATH: process.env.PATH, LD_LIBRARY_PATH: libraryPath() },
  }));

const look = (name: ServerName): Promise<Looked> =>
  firstThatSuits(name, [...onPath(name), ...unpacked(name)]);

/** In words, with the versions that are too old. */
const missingServers = async (): Promise<string[]> => {
  const looked = await Promise.all(serverNames.map(async (name) => ({ name, ...(await look(name)) })));
  return looked.filter(({ found }) => !found).map(({ name, tooOld }) => describeWanted(name, tooOld));
};

export interface FetchOptions {
  /** Aborts the download. */
  readonly signal?: AbortSignal;
  /** Called with each step; the function that it returns is called at the step's end. */
  readonly onStep?: (title: string) => () => void;
}

const fetchMissing = async ({ signal, onStep }: FetchOptions): Promise<void> => {
  if ((await missingServers()).length === 0) return;
  const done = onStep?.('Redis and NATS, the first time');
  rmSync(unpackedDir, { recursive: true, force: true });
  const why = await unpackServers(unpackedDir, signal).catch((error: Error) => error.message);
  const left = await missingServers();
  done?.();
  if (left.length > 0)
    throw new Error(howToInstall(left, why ?? "what Debian's packages carry does not run here"));
};

let fetching: Promise<void> | undefined;

/** Fetches Redis and NATS if they are missing. Rejects with a sentence that names what is missing, and how to install it. */
export const ensureServerPrograms = (options: FetchOptions = {}): Promise<void> => {
  fetching ??= fetchMissing(options);
  return fetching;
};

/** Finds a server on PATH or among the unpacked ones; otherwise unpacks it from Debian's packages. */
export const findServer = async (name: ServerName): Promise<ServerBinary> => {
  const { found } = await look(name);
  if (found) return found;
  await ensureServerPrograms();
  const { found: fetched } = await look(name);
  if (!fetched) throw new Error(`${describeWanted(name)} is missing, though it was there a moment ago`);
  return fetched;
};

const prometheusDir = path.join(toolsDir, 'prometheus');
const places = (): string[] =>
  [...(process.env.PATH ?? '').split(path.delimiter), `${prometheusDir}/usr/bin`].filter(path.isAbsolute);

export type PrometheusPrograms = { readonly prometheus: string; readonly promtool: string };

/** Both from one folder, so that the server reads every file that the tool accepts. */
const find = (): PrometheusPrograms | undefined =>
  places()
    .map((dir) => ({ prometheus: path.join(dir, 'prometheus'), promtool: path.join(dir, 'promtool') }))
    .find(({ prometheus, promtool }) => isExecutable(prometheus) && isExecutable(promtool));

/** Prometheus and its tool, on PATH or unpacked from Debian's package; rejects with a sentence if both are missing. */
export const findPrometheus = (): Promise<PrometheusPrograms> =>
  findOrUnpack(find, {
    ...{ what: 'Prometheus', name: 'prometheus', dir: prometheusDir },
    install:
      'sudo apt-get install prometheus, or see https://prometheus.io/download; whatever is on PATH is used',
  });

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runCommand } from './processes.ts';

/** The packages of redis-server that a minimal Debian lacks; used if apt cannot resolve them. */
const usualPackages =
  'redis-server redis-tools libjemalloc2 liblua5.1-0 liblzf1 lua-cjson lua-bitop libatomic1'.split(' ');

/** The system's own C library must not be mixed with another one. */
const keptFromSystem = /^(libc6|libc-bin|libc-l10n|init|systemd|adduser|passwd)/;

/** Fail soon if no server answers; a list that cannot be fetched is a failure. */
const impatient = ['Acquire::http::Timeout=15', 'Acquire::Retries=1', 'APT::Update::Error-Mode=any'];
const asOptions = (settings: readonly string[]): string[] => settings.flatMap((setting) => ['-o', setting]);

type Apt = {
  readonly cwd: string;
  readonly settings: readonly string[];
  readonly signal: AbortSignal | undefined;
};

const apt = ({ cwd, settings, signal }: Apt, ...args: string[]): Promise<string> =>
  runCommand({
    command: 'apt-get',
    args: [...asOptions([...impatient, ...settings]), ...args],
    cwd,
    signal,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' },
  });

/** The packages that an installation would bring to this machine. */
export const planPackages = async (options: Apt, ...names: readonly string[]): Promise<string[]> => {
  const plan = await apt(options, '-s', 'install', '--no-install-recommends', ...names).catch(() => '');
  const plannedNames = [...plan.matchAll(/^Inst (\S+)/gm)].map((match) => match[1] ?? '');
  return plannedNames.filter((name) => !keptFromSystem.test(name));
};

const redisPackages = async (options: Apt): Promise<string[]> => {
  const missing = await planPackages(options, 'redis-server');
  return missing.length > 0 ? missing : usualPackages;
};

/** Private package lists: they need neither root nor the system's lists or locks. */
const privateLists = (aptDir: string): string[] => {
  for (const part of ['lists/partial', 'cache/archives/partial'])
    mkdirSync(path.join(aptDir, part), { recursive: true });
  const places = [`Dir::State::Lists=${aptDir}/lists`, `Dir::Cache=${aptDir}/cache`];
  return [...places, 'APT::Sandbox::User=root', 'Debug::NoLocking=true'];
};

type Packages = (options: Apt) => Promise<readonly string[]>;

/** Another release of Debian than the machine's, for programs that need no library of it. */
const writeReleaseList = (aptDir: string, release: string): string[] => {
  const list = path.join(aptDir, 'sources.list');
  writeFileSync(list, `deb http://deb.debian.org/debian ${release} main\n`);
  // Installed packages of the machine's own release would be preferred.
  return [`Dir::Etc::SourceList=${list}`, 'Dir::Etc::SourceParts=-', 'Dir::State::Status=/dev/null'];
};

const download = async (
  packages: Packages,
  cwd: string,
  signal: AbortSignal | undefined,
  release?: string,
): Promise<void> => {
  const fetchAll = async (options: Apt): Promise<string> =>
    apt(options, 'download', ...(await packages(options)));
  const fetchWithOwnLists = async (): Promise<void> => {
    const aptDir = path.join(cwd, 'apt');
    const settings = [...privateLists(aptDir), ...(release ? writeReleaseList(aptDir, release) : [])];
    await apt({ cwd, signal, settings }, 'update');
    await fetchAll({ cwd, signal, settings });
  };
  if (release) return fetchWithOwnLists();
  try {
    await fetchAll({ cwd, signal, settings: [] });
  } catch {
    signal?.throwIfAborted();
    await fetchWithOwnLists();
  }
};

const isThere = (program: string): boolean =>
  (process.env.PATH ?? '').split(path.delimiter).some((dir) => existsSync(path.join(dir, program)));

const unreachable =
  /Failed to fetch|Could not resolve|Could not connect|Unable to connect|Unable to fetch|timed out/;

/** Shortens apt's output if no server answers. */
const inOneSentence = (error: Error): Error => {
  if (!unreachable.test(error.message)) return error;
  const archive = /https?:\/\/[^/\s]+/.exec(error.message)?.[0] ?? '';
  return new Error(
    `the package archive ${archive} could not be reached to unpack it from: is this machine connected?`,
  );
};

type UnpackOptions = { readonly signal?: AbortSignal | undefined; readonly release?: string | undefined };

export const unpack = async (
  packages: Packages,
  target: string,
  { signal, release }: UnpackOptions = {},
): Promise<void> => {
  if (!isThere('apt-get') || !isThere('dpkg'))
    throw new Error("this system has no packages of Debian's kind to unpack it from");
  const work = `${target}.${process.pid}`;
  const root = path.join(work, 'root');
  mkdirSync(root, { recursive: true });
  try {
    await download(packages, work, signal, release);
    for (const file of readdirSync(work).filter((name) => name.endsWith('.deb'))) {
      await runCommand({ command: 'dpkg', args: ['-x', path.join(work, file), root], signal });
    }
    if (!existsSync(target)) renameSync(root, target);
  } catch (error) {
    throw inOneSentence(error as Error);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
};

/**
 * Unpacks redis-server from Debian's packages into a folder, without root, without installing it and without starting a
 * daemon. Rejects with a sentence if this is no Debian, or its archive is unreachable.
 */
export const unpackRedis = (target: string, signal?: AbortSignal): Promise<void> =>
  unpack(redisPackages, target, { signal });

/** The same for packages that need no others, of the machine's release or the named one. */
export const unpackPackages = (names: readonly string[], target: string, options?: UnpackOptions) =>
  unpack(async () => names, target, options);

type PackageRequest = {
  /** As the error names it. */
  readonly label: string;
  readonly packages: readonly string[];
  readonly dir: string;
  readonly release?: string;
  readonly install: string;
};

/** Returns what `find` finds, unpacking the packages first if it has to; rejects with a sentence if that does not help. */
export const findOrUnpack = async <Found>(
  find: () => Found | undefined | Promise<Found | undefined>,
  { label, packages, dir, release, install }: PackageRequest,
): Promise<Found> => {
  const installed = await find();
  if (installed !== undefined) return installed;
  const reason = await unpackPackages(packages, dir, { release }).catch((error: Error) => error.message);
  const fetched = await find();
  if (fetched !== undefined) return fetched;
  throw new Error(`${label} is missing on this machine. Not fetched: ${reason}\nTo install: ${install}.`);
};

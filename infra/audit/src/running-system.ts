import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Endpoints } from '@tds/local';

const endpointsOn = async (dataDir: string): Promise<Endpoints> =>
  JSON.parse(await readFile(path.join(dataDir, 'endpoints.json'), 'utf8'));

/** The administrator's address to the database server of the system that runs on these data. Throws what to do if none runs. */
export const postgresOn = async (dataDir: string, command: string): Promise<string> => {
  try {
    return (await endpointsOn(dataDir)).postgres;
  } catch {
    throw new Error(
      `Start the service first (npm start), or name its database: npm run ${command} -- --postgres <url>`,
    );
  }
};

/** Where the payment processor of that system is: its simulator, unless `STRIPE_API_ORIGIN` says otherwise. */
export const paymentOn = async (dataDir: string): Promise<string> => (await endpointsOn(dataDir)).payment;

const isUnreachable = (error: unknown): boolean =>
  ['ECONNREFUSED', '57P03'].includes(String((error as { code?: unknown }).code));

/** What to say of an error on a command line. */
export const sentenceOf = (error: unknown): string => {
  if (isUnreachable(error)) return 'Its database does not answer. Is npm start still running?';
  return error instanceof Error ? error.message : String(error);
};

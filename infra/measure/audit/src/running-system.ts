import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { withClient, workspaceRoot } from '@tds/migrations';
import { storedServiceNames } from '@tds/provisioning';
import { command } from '@tds/servers/command';
import Stripe from 'stripe';
import { databasesOn } from './checks/evidence.ts';

/** The data of `npm start`. */
const dataDir = path.join(workspaceRoot, '.local/data');

/** A command on a running system, by default the one of `npm start`. */
export const systemCommand = (typed: string, description: string) =>
  command(typed, description)
    .option('--data <folder>', 'where npm start keeps its data', dataDir)
    .option('--postgres <url>', 'the server of another system, as its administrator')
    .option(
      '--databases <file>',
      'the addresses of another system with several servers, as its jobs have them',
    );

/** An installation in containers has no address of Postgres for this machine. */
type Endpoints = { readonly postgres?: string; readonly payment: string };

const endpointsOn = async (dataDir: string): Promise<Endpoints> =>
  JSON.parse(await readFile(path.join(dataDir, 'endpoints.json'), 'utf8'));

/** The administrator's address to the database server of the system that runs on these data. Throws what to do if none runs. */
const postgresOn = async (dataDir: string): Promise<string> => {
  const endpoints = await endpointsOn(dataDir).catch(() => null);
  if (endpoints === null)
    throw new Error('Start the service first (npm start), or name its database: --postgres <url>');
  if (endpoints.postgres === undefined)
    throw new Error(
      'The databases of this installation can be reached inside of its network only: see docs/operations.md, "Audit".',
    );
  return endpoints.postgres;
};

/** The address of that system's payment processor: its simulator, unless `STRIPE_API_ORIGIN` names another one. */
export const paymentOn = async (dataDir: string): Promise<string> => (await endpointsOn(dataDir)).payment;

const isUnreachable = (error: unknown): boolean =>
  ['ECONNREFUSED', '57P03'].includes(String((error as { code?: unknown }).code)) ||
  (error instanceof Error && error.message === 'timeout expired');

/** An error as one sentence. */
export const errorMessage = (error: unknown): string => {
  if (error instanceof Stripe.errors.StripeError)
    return `The payment processor does not answer as it should: ${error.message}`;
  if (isUnreachable(error)) return 'Its database does not answer. Is npm start still running?';
  return error instanceof Error ? error.message : String(error);
};

type RunningSystem = {
  readonly services: readonly string[];
  /** Runs statements on a service's database, as its administrator. */
  readonly on: <T>(service: string, use: Parameters<typeof withClient<T>>[1]) => Promise<T>;
};
type Place = {
  readonly data: string;
  readonly postgres?: string | undefined;
  readonly databases?: string | undefined;
};

type AdminUrls = { readonly adminUrl: string; readonly elsewhere?: Readonly<Record<string, string>> };

/** The administrator's address to each database of the system that the options of a command name. */
export const resolveDatabases = async ({ data, postgres, databases }: Place) => {
  if (databases === undefined) return databasesOn(postgres ?? (await postgresOn(data)));
  const { adminUrl, elsewhere } = JSON.parse(await readFile(databases, 'utf8')) as AdminUrls;
  return databasesOn((service) => elsewhere?.[service] ?? adminUrl);
};

/** Prints the answer of a command on a running system, or the reason of its failure. */
export const printAnswer = async (
  place: Place,
  answer: (system: RunningSystem) => Promise<string>,
): Promise<void> => {
  try {
    const addressOf = await resolveDatabases(place);
    const on: RunningSystem['on'] = (service, use) => withClient(addressOf(service), use);
    console.log(await answer({ services: storedServiceNames, on }));
  } catch (error) {
    console.error(errorMessage(error));
    process.exitCode = 1;
  }
};

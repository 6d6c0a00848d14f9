import {
  createServiceDatabases,
  type DatabaseUrls,
  migrate,
  nameServiceDatabase,
  prismaDirsOf,
  withClient,
} from '@tds/servers';
import type { Bench } from '../benchmark.ts';
import { benchSurface } from '../support/bench-service.ts';
import { fillLedger, fillOnePage } from './ledger-fill.ts';
import type { Place } from './works.ts';
import { DELIVERIES_OF_A_CUSTOMER, fillYear } from './year-fill.ts';

/** The share of an account in the deliveries of a full ledger. */
const HOT_SHARE = 0.2;
const PAGE = 50;

type Servers = Pick<Bench, 'servers'>;

/** A set of databases, on the server of the run. */
export type Side = { readonly name: string; readonly accounts: number; readonly places: readonly Place[] };

export const createSide = async ({ servers }: Servers, name: string, accounts: number): Promise<Side> => {
  const { postgres, secretOf } = servers;
  const services = Object.keys(servers.databases).filter((name) => name !== benchSurface.name);
  const nameOf = (service: string) => `aged-${name}-${service}`;
  const all = await createServiceDatabases(postgres.url, services.map(nameOf), secretOf);
  const places = services.map((service): Place => {
    const adminUrl = new URL(postgres.url);
    adminUrl.pathname = nameServiceDatabase(nameOf(service), secretOf).database;
    return { service, urls: all[nameOf(service)] as DatabaseUrls, adminUrl: adminUrl.href };
  });
  for (const { service, urls } of places)
    await migrate({ databaseUrl: urls.ownerUrl, prismaDirs: prismaDirsOf(service) });
  return { name, accounts, places };
};

/** The system of one account is empty: it has the data of its year and a page of the ledger. */
export const fillSide = async (
  { accounts, places }: Side,
  customers: number,
  log: Bench['log'],
): Promise<void> => {
  const ledger = async () => {
    const fill = { deliveries: accounts * DELIVERIES_OF_A_CUSTOMER, accounts, hotShare: HOT_SHARE };
    const ownerUrl = places.find(({ service }) => service === 'credits-ledger')?.urls.ownerUrl ?? '';
    await withClient(ownerUrl, (client) =>
      accounts === 1 ? fillOnePage(client, customers, PAGE) : fillLedger(client, fill, log),
    );
  };
  const fillOthers = async () => {
    for (const { service, adminUrl } of places)
      await withClient(adminUrl, (client) => fillYear(client, service, accounts));
  };
  await Promise.all([ledger(), fillOthers()]);
};

export const dropSide = async (
  { servers: { postgres, secretOf } }: Servers,
  { name, places }: Side,
): Promise<void> =>
  withClient(postgres.url, async (admin) => {
    for (const { service } of places) {
      const { database, owner, app } = nameServiceDatabase(`aged-${name}-${service}`, secretOf);
      await admin.query(`DROP DATABASE ${database} WITH (FORCE)`);
      await admin.query(`DROP ROLE ${owner.name}, ${app.name}`);
    }
  });

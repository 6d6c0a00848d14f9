import { createHash } from 'node:crypto';
import { type Command, DAY_MS } from '@tds/contracts';
import { type IdleService, idleContext } from './idle-service.ts';

const PAGE = 50;

/** The id of the first row of a kind, as `idOf` of the assumptions makes it. */
const firstId = (kind: string): string =>
  `00000000-0000-7000-8000-${createHash('md5').update(kind).digest('hex').slice(0, 12)}`;

const today = (): string => new Date().toISOString().slice(0, 10);

/** Fields of requests: the first customer and its first rows. */
export const buildCustomer = (accountId = firstId('accounts')): Readonly<Record<string, unknown>> => ({
  ...{ accountId, limit: PAGE, offset: 0, asOf: null, after: null, reason: 'transcript', tier: 'paid' },
  ...{ olderThanMs: DAY_MS, youngerThanMs: 8 * DAY_MS, from: today(), to: today(), day: today() },
  ...{ since: new Date(Date.now() - DAY_MS).toISOString(), sessionDigest: '0'.repeat(64) },
  ...{ keyId: null, code: null, failed: null },
  limitId: firstId('api_keys'),
  jobId: firstId('jobs'),
  batchId: firstId('jobs'),
  batchIds: [firstId('jobs')],
  refs: [firstId('jobs')],
  deliveryId: firstId('deliveries'),
  purchaseId: firstId('purchases'),
  monitorId: firstId('monitors').replaceAll('-', ''),
  videoId: 'v0000000000',
  videoIds: Array.from({ length: PAGE }, (_, n) => `v${String(n).padStart(10, '0')}`),
});

/** Fields that mean something else in one command. */
const OVERRIDES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  getLedger: { jobId: null },
  listJobs: { monitorId: undefined },
  listDeliveries: { jobId: undefined, monitorId: undefined },
};
/** Commands that are not measured, and why. */
export const ELSEWHERE: Readonly<Record<string, string>> = {
  getTranscript: 'it reads a file',
  listGrants: 'a page of all accounts',
  listChargedReservations: 'a page of all accounts',
  listOpenReservations: 'a page of all accounts',
  listBatches: 'a page of all accounts',
  readChanges: 'as long as a job',
  getSpending: 'it sums all days of the account',
  getArchive: 'it first asks another service for the job',
  getDocument: 'as getArchive',
  listVideos: '`listing-page` measures it',
  findPublishDates: 'it asks the platform',
  listLanguages: 'it asks the platform',
  getRequest: 'one row by its primary key',
  findGrantRecord: 'one row by its primary key',
  getFeed: 'one row by its primary key',
  readAppDocument: 'it asks the server of an app',
};

/** Reads by their names, so that a new list is measured too. */
const isRead = ({ name }: Command): boolean =>
  /^(?:list|get|find|lookUp|read|batch)/.test(name) && !(name in ELSEWHERE);

const parseRequest = ({ name, request }: Command, customer: Readonly<Record<string, unknown>>): object => {
  const input = { ...customer, ...OVERRIDES[name] };
  const parsed = request.safeParse(input);
  if (!parsed.success) throw new Error(`${name}: ${parsed.error.message}`);
  return parsed.data as object;
};

/** The services' lists and reads of one customer: the first page each. */
export const lists = (
  { commands, deps }: IdleService,
  accountId?: string,
): Record<string, () => Promise<unknown>> =>
  Object.fromEntries(
    commands
      .filter(({ message }) => isRead(message))
      .map(({ message, run }) => {
        const request = parseRequest(message, buildCustomer(accountId));
        return [message.name, () => run(deps, request, idleContext())];
      }),
  );

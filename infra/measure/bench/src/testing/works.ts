import { createLog, createPool } from '@tds/base/internals';
import { FIRST_UNPUBLISHED, purgeOldRows } from '@tds/messaging/internals';
import type { DatabaseUrls } from '@tds/servers';
import { KIT_SETTINGS } from '../../../../../packages/kit/src/run/connections.ts';
import { createPoll } from '../../../../../packages/queue/src/poll.ts';
import { firstScheduleSql } from '../../../../../packages/queue/src/schedules/schedule-rows.ts';
import { firstTaskSql } from '../../../../../packages/queue/src/tasks/claim-tasks.ts';
import type { Bench } from '../benchmark.ts';
import { type Claim, claims, TASK, taskClaim } from './claims.ts';
import { ELSEWHERE, lists } from './customer-lists.ts';
import { type IdleService, idleContext, openIdleService, type Pool } from './idle-service.ts';
import { ledgerWork } from './ledger-work.ts';
import { prepareOldRows } from './year-fill.ts';

const STREAM_KEPT_MS = 7 * 86_400_000;

/** Schedules that are not measured, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  reconcileEvents: 'it reads the list of the payment processor',
  reconcilePurchases: 'it compares each purchase of eight days with the ledger',
  reconcileAllPurchases: 'it compares each purchase with the ledger',
  reconcileReservations: 'it compares each charge of eight days with the ledger',
  reencryptSecrets: 'it opens each secret',
  sendDeliveries: 'its claim is measured',
};

/** All that is not measured, and why. */
export const notMeasured: Readonly<Record<string, string>> = { ...LEFT_OUT, ...ELSEWHERE };

export type Work = { readonly run: () => Promise<unknown>; readonly before?: () => Promise<unknown> };
export type Works = Readonly<Record<string, Work>>;

/** A service's database, for the service and for a superuser. */
export type Place = { readonly service: string; readonly urls: DatabaseUrls; readonly adminUrl: string };

const claimWork = (admin: Pool, service: IdleService, { due, claim }: Claim): Work => ({
  before: () => admin.query(due),
  run: async () => {
    if ((await claim(service)).length !== 1) throw new Error('nothing was claimed');
  },
});

const IS_PURGE = /^(?:purge|delete|forget)/;

/** All that a service does by itself, from its own registries, and what it reads for one customer. */
export const createWorks = async (bench: Bench, place: Place, stack: AsyncDisposableStack): Promise<Works> => {
  const { service, urls, adminUrl } = place;
  const open = (url: string, settings: Readonly<Record<string, string>>): Pool => {
    const log = createLog({ service, level: 'silent' });
    const pool = createPool({ url, applicationName: 'bench', maxConnections: 1, settings, log });
    stack.defer(() => pool.end());
    return pool;
  };
  const idle = stack.use(await openIdleService(bench, service, urls.url));
  const kitPool = open(urls.url, KIT_SETTINGS);
  const admin = open(adminUrl, { session_replication_role: 'replica' });
  const addOld = await prepareOldRows(admin, service);
  const names = Object.keys(idle.surface.schedules);
  const kitQuestions = [FIRST_UNPUBLISHED, firstTaskSql([TASK]), firstScheduleSql(names)];
  const poll = createPoll([...kitQuestions, ...idle.questions.values()]);
  const { signal } = idleContext();
  const schedules = names.flatMap((name): [string, Work][] => {
    const schedule = idle.schedules[name];
    if (!schedule) throw new Error(`${service} has no schedule ${name}`);
    const run = () => schedule(idle.deps, idleContext());
    return name in LEFT_OUT ? [] : [[name, IS_PURGE.test(name) ? { run, before: addOld } : { run }]];
  });
  const ledger = service === 'credits-ledger' ? await listAccounts(admin) : [];
  const plain: Readonly<Record<string, Work['run']>> = {
    'poll for work': () => poll(kitPool),
    ...Object.fromEntries([...idle.backlogs].map(([what, read]) => [`backlog of ${what}`, read])),
    ...lists(idle, ledger[0]),
    ...(ledger.length > 0 ? ledgerWork(idle.pool, urls.ownerUrl, ledger) : {}),
  };
  const works: Works = {
    ...Object.fromEntries(schedules),
    'purge of messages': {
      run: () => purgeOldRows(idle.pool, { signal, keptMs: STREAM_KEPT_MS }),
      before: addOld,
    },
    ...Object.fromEntries(Object.entries(plain).map(([name, run]) => [name, { run }])),
    'claim of a task': claimWork(admin, idle, taskClaim(kitPool)),
    ...Object.fromEntries(
      Object.entries(claims[service] ?? {}).map(([name, claim]) => [name, claimWork(admin, idle, claim)]),
    ),
  };
  return Object.fromEntries(Object.entries(works).map(([name, work]) => [`${service}: ${name}`, work]));
};

const listAccounts = async (pool: Pool): Promise<string[]> => {
  const { rows } = await pool.query('SELECT account_id AS id FROM accounts ORDER BY account_id');
  return rows.map(({ id }: { id: string }) => id);
};

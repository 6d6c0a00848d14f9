import { randomUUID } from 'node:crypto';
import { createTestPool } from '@tds/base/testing';
import {
  creditsLedger,
  identity,
  type Monitor,
  monitorScheduler,
  type RequestOf,
  search,
  type Tier,
  webhookDispatcher,
} from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { createCaller, createFake, observeService, startHarness, testContext } from '@tds/kit/testing';
import { dueRows, eventually } from '@tds/test-kit';
import { service } from '../index.ts';
import { fakeJobs } from './fake-jobs.ts';
import { fakePlatform } from './fake-platform.ts';
import { fakeWebhook } from './fake-webhook.ts';
import { fakeWords } from './fake-words.ts';

type CreateMonitorRequest = RequestOf<typeof monitorScheduler.createMonitor>;
type ScheduleName = 'checkFeeds' | 'serveMonitors' | 'runActions' | 'purgeFeeds';

export const HANDLE = '@named';
export const RECEIVER = '01900000-0000-7000-8000-0000000000aa';

/**
 * The service on real servers, with a fake platform (or the one at `PLATFORM_ORIGIN`) and fake neighbours in memory. Tests run its
 * schedules.
 */
export const startMonitors = async (settings: { readonly PLATFORM_ORIGIN?: string } = {}) => {
  const harness = await startHarness({
    databases: {
      'monitor-scheduler': 'monitor-scheduler',
      'webhook-dispatcher': 'messaging',
      'credits-ledger': 'messaging',
      identity: 'messaging',
      'transcript-fetcher': 'messaging',
    },
  });
  const platform = fakePlatform();
  const names = new Map<string, string>();
  const finder = createFake(search, {
    resolveChannel: async ({ channel }) => {
      if (channel.startsWith('UC')) return { channelId: channel };
      const channelId = names.get(channel);
      if (channelId === undefined) throw serviceError('source_not_found');
      return { channelId };
    },
  });
  const dispatcher = createFake(webhookDispatcher, {
    checkWebhookUrl: async () => ({}),
    checkReceivers: async ({ receiverIds }) => {
      if (!receiverIds.every((id) => id === RECEIVER)) throw serviceError('receiver_not_found');
      return {};
    },
  });
  const ledger = createFake(creditsLedger);
  const { fake: fetcher, ...wordControls } = fakeWords();
  let ownerTier: Tier = 'paid';
  const ownerState = { accountStatus: 'active' as 'active' | 'frozen' };
  const revoked = new Set<string | null>();
  const bounded = new Set<string>();
  const owner = createFake(identity, {
    checkOwnWork: async ({ keyId }) => {
      if (bounded.has(keyId)) throw serviceError('begun_by_another_key');
      return {};
    },
    getKeyPhase: async ({ keyId }) => ({
      ...{ ...ownerState, tier: ownerTier, accountCreatedAt: '2026-01-01T00:00:00.000Z' },
      ...{ phase: revoked.has(keyId) ? 'revoked' : 'active', limitId: keyId, dailyCreditCap: null },
    }),
  });
  const { fake: orchestrator, jobs, ...jobControls } = fakeJobs();
  const { newVideosFound, monitorPaused, monitorResumed } = monitorScheduler;
  const caller = createCaller(monitorScheduler, newVideosFound, monitorPaused, monitorResumed);
  for (const fake of [finder, dispatcher, ledger, owner, orchestrator, fetcher, caller])
    await harness.start(fake.service);
  const tested = settings.PLATFORM_ORIGIN ? service : service.with({ platform: platform.platform });
  const own = observeService(tested);
  const startService = () => harness.start(own.service, settings);
  let running = await startService();
  const pool = createTestPool(harness.databases['monitor-scheduler'].url);
  const context = () => testContext({ signal: AbortSignal.timeout(600_000) });
  const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await pool.query(text, values)).rows;
  const rows = dueRows('monitor-scheduler', query);
  const call = caller.call;
  const run = (name: ScheduleName) => own.handlers().schedules[name](context());
  /** The service also runs its schedules itself, so another process may hold a row. */
  const untilDone = (table: 'feeds' | 'monitors' | 'actions', sweep: ScheduleName) =>
    eventually(async () => {
      await run(sweep);
      const pending = await query(`SELECT FROM ${table} WHERE due_at <= now() OR lease_until > now()`);
      if (pending.length > 0) throw new Error(`${pending.length} ${table} are due or under way`);
    });
  /** Advances the time, and runs everything that is due then. */
  const pass = async (time: string): Promise<void> => {
    await rows.passTime('feeds', time, ['due_at', 'checked_at'], { where: 'watchers > 0' });
    await query(`UPDATE videos SET ask_at = ask_at - $1::interval WHERE ask_at IS NOT NULL`, [time]);
    await untilDone('feeds', 'checkFeeds');
    await rows.makeDue('monitors', { where: 'cancelled_at IS NULL AND due_at > now()' });
    await untilDone('monitors', 'serveMonitors');
    await rows.makeDue('actions', { where: 'due_at > now()' });
    await untilDone('actions', 'runActions');
    // Turns that waited for their action.
    await untilDone('monitors', 'serveMonitors');
  };
  const newChannel = (videos = 3): string => {
    const id = `UC${randomUUID().replaceAll('-', '').slice(0, 22)}`;
    platform.add(id);
    platform.upload(id, videos);
    return id;
  };
  const newPlaylist = (videos: number): string => {
    const id = `PL${randomUUID().replaceAll('-', '')}`;
    platform.add(id);
    platform.append(id, videos);
    return id;
  };
  const create = (fields: Partial<CreateMonitorRequest> = {}) =>
    call(
      monitorScheduler.createMonitor,
      {
        ...{
          accountId: randomUUID(),
          tier: 'paid',
          keyId: null,
          idempotencyKey: null,
          source: { channel: newChannel() },
        },
        ...{
          autoFetch: false,
          words: [],
          mail: 'none',
          mailOnlyMatches: false,
          language: 'en',
          fallback: true,
          webhookUrl: null,
          ...fields,
        },
      },
      context(),
    );
  /** Creates a monitor of a new account and channel. */
  const watch = async (fields: Partial<CreateMonitorRequest> = {}, videos = 3) => {
    const accountId = fields.accountId ?? randomUUID();
    const channel = newChannel(videos);
    const { monitor } = await create({ source: { channel }, ...fields, accountId });
    const get = async (): Promise<Monitor> =>
      (await call(monitorScheduler.getMonitor, { accountId, monitorId: monitor.id }, context())).monitor;
    const ofIt = <Message extends { monitorId: string }>(messages: readonly Message[]) =>
      messages.filter(({ monitorId }) => monitorId === monitor.id);
    return {
      accountId,
      channel,
      id: monitor.id,
      get,
      emitted: () =>
        ofIt(caller.received(newVideosFound)).flatMap(({ videos: found }) =>
          found.map((video) => video.video_id),
        ),
      events: () => ofIt(caller.received(newVideosFound)),
      paused: () => ofIt(caller.received(monitorPaused)).map(({ pauseReason }) => pauseReason),
      resumed: () => ofIt(caller.received(monitorResumed)).length,
      jobs: () => [...jobs.values()].filter(({ monitorId }) => monitorId === monitor.id),
      videos: (limit = 20, offset = 0, of = accountId) =>
        call(
          monitorScheduler.listMonitorVideos,
          { accountId: of, monitorId: monitor.id, limit, offset },
          context(),
        ),
      resume: (keyId: string, of = accountId) =>
        call(monitorScheduler.resumeMonitor, { accountId: of, monitorId: monitor.id, keyId }, context()),
      change: (changes: object, of = accountId) =>
        call(monitorScheduler.changeMonitor, { accountId: of, monitorId: monitor.id, ...changes }, context()),
      cancel: (keyId: string | null = null) =>
        call(monitorScheduler.cancelMonitor, { accountId, monitorId: monitor.id, keyId }, context()),
    };
  };
  let version = Date.now();
  const nextVersion = () => (version += 1);
  const webhook = fakeWebhook(dispatcher, nextVersion);
  return {
    ...{
      harness,
      platform,
      names,
      finder,
      dispatcher,
      orchestrator,
      jobs,
      newChannel,
      newPlaylist,
      create,
      watch,
      webhook,
    },
    ...jobControls,
    ...wordControls,
    ...{ ownerState, call, context, query, rows, run, pass, eventually, handlers: own.handlers, kit: own.kit },
    database: harness.databases['monitor-scheduler'],
    /** The environment of a process of its own. */
    environment: { ...harness.environmentOf('monitor-scheduler'), ...settings },
    startAnother: () => harness.start(tested, settings),
    stopService: () => running.stop(),
    async startService(): Promise<void> {
      running = await startService();
    },
    /** bulk-orchestrator emits that it has lost a job. */
    losesJob: (accountId: string, jobId: string) =>
      own.handlers().subscriptions.jobLost({ accountId, jobId }, context() as never),
    emitTierChange: (accountId: string, tier = ownerTier) =>
      owner.emit(identity.accountTierChanged, { accountId, tier }),
    /** Revokes a key at once. No service learns of it before `emitRevoked`. */
    revoke: (keyId: string) => revoked.add(keyId),
    /** The key may change only what it has begun. */
    binds: (id: string) => bounded.add(id),
    emitRevoked: (accountId: string, keyId: string, atOnce = true) =>
      owner.emit(identity.keyRevoked, { accountId, keyId, atOnce, keyDigest: 'a'.repeat(64) }),
    ownerHas: (tier: Tier) => {
      ownerTier = tier;
    },
    /** Waits until the monitor uses a webhook. */
    uses: (id: string) =>
      eventually(async () => {
        const using = `SELECT FROM monitors AS m JOIN accounts AS a ON a.id = m.account_id
          WHERE replace(m.id::text, '-', '') = $1 AND m.uses_webhook AND a.has_webhook`;
        if ((await query(using, [id])).length === 0) throw new Error('it has none yet');
      }),
    /** Waits until `count` events of the account's webhook are handled. */
    handled: (accountId: string, count: number) =>
      eventually(() => {
        const { webhookConfigured, webhookRemoved } = webhookDispatcher;
        const all = [...own.handled(webhookConfigured), ...own.handled(webhookRemoved)];
        const found = all.filter((event) => event.accountId === accountId).length;
        if (found < count) throw new Error(`${found} were handled`);
      }),
    grant: (accountId: string) =>
      ledger.emit(creditsLedger.creditsGranted, {
        ...{ accountId, bucket: 'purchased', amount: 5, ref: 'purchase:1' },
      }),
    becomes: (accountId: string, status: 'active' | 'frozen' | 'closed') =>
      owner.emit(identity.accountStatusChanged, { accountId, status, version: nextVersion() }),
    list: (accountId: string, offset = 0) =>
      call(monitorScheduler.listMonitors, { accountId, limit: 1_000, offset }, context()),
    async stop(): Promise<void> {
      await pool.end();
      await harness.stop();
    },
  };
};
export type TestMonitors = Awaited<ReturnType<typeof startMonitors>>;

import { randomUUID } from 'node:crypto';
import { keyRing } from '@tds/base';
import { createTestPool } from '@tds/base/testing';
import {
  bulkOrchestrator,
  createWebhookSecret,
  creditsLedger,
  identity,
  type MonitorMatch,
  monitorScheduler,
  type PayloadOf,
  type ReplyOf,
  type RequestOf,
  transcriptFetcher,
  WEBHOOK_SECRETS,
  webhookDispatcher,
} from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { createCaller, createFake, observeService, startHarness, testContext } from '@tds/kit/testing';
import { type Behaviour, startWebhookReceiver } from '@tds/simulators/webhooks';
import { dueRows, eventually, KEY_RING } from '@tds/test-kit';
import { service } from '../index.ts';

export const PUBLIC_URL = 'https://api.tds.example';
const cipher = keyRing().parse(KEY_RING).cipher(WEBHOOK_SECRETS);

type JobEvent = PayloadOf<typeof bulkOrchestrator.jobCompleted>;
type JobEventName = 'jobCompleted' | 'jobFailed' | 'jobPaused' | 'jobResumed';
type Delivery = ReplyOf<typeof webhookDispatcher.getDelivery>;

const counts = { total: 1, pending: 0, processing: 0, cached: 0, fetched: 1, error: 0, cancelled: 0 };

/** An event of a job, as the orchestrator emits it. */
export const newJobEvent = (fields: Partial<JobEvent> = {}): JobEvent => ({
  jobId: randomUUID(),
  accountId: randomUUID(),
  monitorId: null,
  status: 'completed',
  pauseReason: null,
  resumesAt: null,
  name: null,
  metadata: {},
  counts,
  credits: { reserved: 0, charged: 1 },
  ...{ webhookUrl: null, webhookKeyId: null },
  notifyEmail: false,
  version: 1,
  ...fields,
});

/** A secret, and its encrypted form as a gateway sends it. */
export const sealedSecret = (accountId: string, secret = createWebhookSecret()) => ({
  secret,
  sealedSecret: cipher.encrypt(secret, accountId),
});

/** The service on real servers, with fake neighbours and a scripted receiver. */
export const startDispatcher = async (environment: NodeJS.ProcessEnv = {}) => {
  const harness = await startHarness({
    databases: {
      'webhook-dispatcher': 'webhook-dispatcher',
      'bulk-orchestrator': 'messaging',
      identity: 'messaging',
      'credits-ledger': 'messaging',
      'monitor-scheduler': 'messaging',
      'transcript-fetcher': 'messaging',
    },
  });
  const receiver = await startWebhookReceiver();
  const { webhookConfigured, webhookRemoved, webhookDisabled, webhookChanged } = webhookDispatcher;
  const { jobDeliveryChanged, newVideosRefused, receiverChanged } = webhookDispatcher;
  const ofWebhook = [webhookConfigured, webhookRemoved, webhookDisabled, webhookChanged];
  const emitted = [...ofWebhook, jobDeliveryChanged, newVideosRefused, receiverChanged];
  const caller = createCaller(webhookDispatcher, ...emitted);
  const revoked = new Set<string | null>();
  const passedOn = new Set<string | null>();
  let isIdentityAway = false;
  const phase = async ({ keyId }: { keyId: string | null }) => {
    if (isIdentityAway) throw serviceError('service_unavailable');
    return {
      ...({ accountStatus: 'active', tier: 'paid', accountCreatedAt: '2026-01-01T00:00:00.000Z' } as const),
      ...({
        phase: revoked.has(keyId) ? 'revoked' : 'active',
        limitId: keyId,
        dailyCreditCap: null,
        isPersonRemoved: passedOn.has(keyId),
      } as const),
    };
  };
  const [jobs, people, ledger, monitors, fetcher] = [
    createFake(bulkOrchestrator),
    createFake(identity, { getKeyPhase: phase }),
    createFake(creditsLedger),
    createFake(monitorScheduler),
    createFake(transcriptFetcher),
  ];
  const settings = { WEBHOOK_KEY_RING: KEY_RING, WEBHOOK_LOCAL_RECEIVERS: '1', PUBLIC_URL, ...environment };
  const own = observeService(service);
  const startService = () => harness.start(own.service, settings);
  const running = { current: await startService() };
  const pool = createTestPool(harness.databases['webhook-dispatcher'].url);
  for (const other of [caller, jobs, people, ledger, monitors, fetcher]) await harness.start(other.service);
  const { call } = caller;
  const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await pool.query(text, values)).rows as Row[];
  const rows = dueRows('webhook-dispatcher', query);

  const put = (accountId: string, fields: Partial<RequestOf<typeof webhookDispatcher.putWebhook>> = {}) =>
    call(
      webhookDispatcher.putWebhook,
      {
        accountId,
        keyId: null,
        url: receiver.hookUrl,
        lowBalanceThreshold: null,
        rotateSecret: false,
        sealedSecret: sealedSecret(accountId).sealedSecret,
        ...fields,
      },
      testContext(),
    );
  const list = async (accountId: string, fields = {}) =>
    call(webhookDispatcher.listDeliveries, { accountId, limit: 100, offset: 0, ...fields }, testContext());
  const get = (accountId: string, deliveryId: string): Promise<Delivery> =>
    call(webhookDispatcher.getDelivery, { accountId, deliveryId }, testContext());
  return {
    harness,
    receiver,
    call,
    caller,
    jobs,
    people,
    ledger,
    query,
    rows,
    put,
    list,
    get,
    kit: own.kit,
    handlers: own.handlers,
    settings,
    /** Creates an account with a webhook at a new path of the receiver. */
    async newAccount(...script: Behaviour[]) {
      const accountId = randomUUID();
      const path = `/${accountId}`;
      if (script.length > 0) receiver.script(script, path);
      const { secret, sealedSecret: encrypted } = sealedSecret(accountId);
      receiver.addSecret(secret);
      await put(accountId, { url: receiver.hookUrl + path, sealedSecret: encrypted });
      return { accountId, path, secret };
    },
    /** Emits that a monitor found a video. */
    emitNewVideos: (fields: Partial<PayloadOf<typeof monitorScheduler.newVideosFound>>) =>
      monitors.emit(monitorScheduler.newVideosFound, {
        ...{ accountId: randomUUID(), monitorId: randomUUID().replaceAll('-', ''), webhookUrl: null },
        ...{ webhookKeyId: null, mail: 'none', isExpected: true, newVideosId: randomUUID(), after: 0 },
        ...{ channel: `UC${'x'.repeat(22)}`, playlist: null, title: 'A channel' },
        videos: [{ video_id: 'dQw4w9WgXcQ', title: 'A video', published_at: '2026-01-15' }],
        ...fields,
      }),
    /** Emits that a monitor's words were said. */
    emitWords: (
      match: Partial<MonitorMatch>,
      fields: Partial<PayloadOf<typeof transcriptFetcher.wordsFound>> = {},
    ) =>
      fetcher.emit(transcriptFetcher.wordsFound, {
        ...{ accountId: randomUUID(), monitorId: randomUUID().replaceAll('-', ''), webhookUrl: null },
        ...{ webhookKeyId: null, mail: 'none', channel: null, playlist: 'PL1', title: 'A playlist', ...fields },
        match: {
          ...{ id: randomUUID(), query: 'harbour', language: 'en', translated: false },
          found_at: '2026-01-15T12:00:00.000Z',
          video: { video_id: 'dQw4w9WgXcQ', title: 'A video', published_at: '2026-01-15', channel_title: null },
          passages: [
            { start: 61.5, text: 'The harbour.', url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=61s' },
          ],
          ...match,
        },
      }),
    emitJob: (event: JobEventName, fields: Partial<JobEvent>) =>
      jobs.emit(bulkOrchestrator[event], newJobEvent(fields)),
    /** Waits until the newest delivery of an account fulfils `is`, and returns it. */
    until: (accountId: string, is: (delivery: Delivery) => boolean): Promise<Delivery> =>
      eventually(async () => {
        const { deliveries } = await list(accountId);
        const newest = deliveries[0] && (await get(accountId, deliveries[0].id));
        if (newest && is(newest)) return newest;
        throw new Error(`not yet: ${JSON.stringify(newest)}`);
      }),
    /** Inserts waiting deliveries of an endpoint that the account has, all due after `due`, a negative interval if they are overdue. */
    fill: (accountId: string, count: number, due: string) =>
      query(
        `INSERT INTO deliveries (id, account_id, endpoint_id, event_id, kind, body, secret_id, is_override, due_at, created_at)
         SELECT gen_random_uuid(), e.account_id, e.id, gen_random_uuid(), 'webhook.test', '{}', w.secret_id, false,
           now() + $3::interval, now()
         FROM endpoints e JOIN webhooks w ON w.account_id = e.account_id AND w.url = e.url, generate_series(1, $2::int)
         WHERE e.account_id = $1`,
        [accountId, count, due],
      ),
    /** Makes the account's waiting deliveries due now. */
    async hurry(accountId: string): Promise<void> {
      const values = [accountId];
      await rows.makeDue('deliveries', { where: "account_id = $1 AND state = 'waiting'", values });
      for (const table of ['endpoints', 'queues'] as const)
        await rows.makeDue(table, { where: 'account_id = $1', values });
    },
    /** Revokes a key at once. */
    revoke: (keyId: string) => revoked.add(keyId),
    /** The person of the key was removed, and their work passed on. */
    passOn: (keyId: string) => passedOn.add(keyId),
    identityIsAway: (isAway: boolean) => {
      isIdentityAway = isAway;
    },
    stopService: () => running.current.stop(),
    async startService(): Promise<void> {
      running.current = await startService();
    },
    startInstance: (more: NodeJS.ProcessEnv = {}) => harness.start(service, { ...settings, ...more }),
    /** The environment of a separate process. */
    environment: { ...harness.environmentOf('webhook-dispatcher'), ...settings },
    async stop(): Promise<void> {
      await pool.end();
      await harness.stop();
      await receiver.stop();
    },
  };
};
export type TestDispatcher = Awaited<ReturnType<typeof startDispatcher>>;

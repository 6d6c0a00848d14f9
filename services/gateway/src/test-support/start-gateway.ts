import { randomUUID } from 'node:crypto';
import { afterEach } from '@jest/globals';
import { connect } from '@nats-io/transport-node';
import { keyRing, signProjection } from '@tds/base';
import {
  createApiKey,
  creditsLedger,
  type DeliveredTranscript,
  digestSecret,
  type Event,
  identity,
  keyRingUses,
  type PayloadOf,
  type Principal,
  transcriptFetcher,
  videoSummary,
} from '@tds/contracts';
import { openApiDocument, routeTable } from '@tds/http-api';
import type { Kit, ServiceDefinition } from '@tds/kit';
import { type Harness, startHarness } from '@tds/kit/testing';
import { describedAnswers, eventually, KEY_RING, sharedRedisCacheUrl } from '@tds/test-kit';
import type { Overrides } from '../create-deps.ts';
import { service } from '../index.ts';
import type { Surface } from '../surface.ts';
import { linkedBodies, newBalance, newPrincipal, storedFile } from './builders.ts';
import { startFakes } from './fakes.ts';
import { objectsIn } from './stored-objects.ts';

const HOUR_SECONDS = 3_600;
/** Tests that count what others are asked are not disturbed by looks at who is there. */
const NEVER_MS = 3_600_000;
const PUBLIC_URL = 'https://api.example';
const ring = keyRing().parse(KEY_RING);
const macs = ring.forUse(keyRingUses.principals);
const answers = describedAnswers(openApiDocument(routeTable, PUBLIC_URL));
// Fails whichever test got an answer that the API description does not know.
afterEach(answers.assertDescribed);

export type HarnessOptions = {
  readonly redisUrl?: string;
  readonly redisCacheUrl?: string;
  readonly environment?: NodeJS.ProcessEnv;
  readonly overrides?: Overrides;
};

/** A gateway with an object store that is a map. */
const withObjects = (
  gateway: ServiceDefinition<Surface>,
  files: Map<string, Buffer>,
): ServiceDefinition<Surface> => ({
  surface: gateway.surface,
  start: (kit, environment) => {
    const objects = { value: objectsIn(files) };
    return gateway.start(Object.create(kit, { objects }) as Kit<Surface>, environment);
  },
});

const startOneGateway = async (servers: Harness, files: Map<string, Buffer>, overrides: Overrides) => {
  const running = await servers.start(withObjects(service.with(overrides), files));
  const url = running.addresses.http as string;
  const unwatch = answers.watch(url);
  return {
    url,
    health: running.addresses.health as string,
    stop: () => running.stop().finally(unwatch),
  };
};

const startServers = async ({ redisUrl, redisCacheUrl, environment }: HarnessOptions): Promise<Harness> =>
  startHarness({
    ...(redisUrl === undefined ? {} : { redis: { url: redisUrl } }),
    environment: {
      REDIS_CACHE_URL: redisCacheUrl ?? (await sharedRedisCacheUrl()),
      STOP_WITHIN: '1500ms',
      PORT: '0',
      PUBLIC_URL,
      PUBLIC_REQUESTS_PER_MINUTE: '100000',
      REPLAY_SECRET: 'replay-secret-of-the-tests-0123456789',
      KEY_RING,
      WEBHOOK_KEY_RING: KEY_RING,
      ...environment,
    },
  });

/** A gateway among fakes of the services that it calls, with a broker of its own. */
export const startTestGateway = async (options: HarnessOptions = {}) => {
  const overrides = { statusEveryMs: NEVER_MS, ...options.overrides };
  const servers = await startServers(options);
  const { nats } = servers;
  const principals = new Map<string, Principal>();
  const fakes = await startFakes(servers, principals);
  const { fetcher, identity: fakeIdentity, ledger, status } = fakes;
  const files = new Map<string, Buffer>();
  const gateways = [await startOneGateway(servers, files, overrides)];
  for (const { asked } of [fakeIdentity, ledger, fetcher, status]) asked.length = 0;
  const { projections, bodies, redis } = fetcher.kit;
  /** Stores a signed value as identity does, by default for an hour. */
  const project = (redisKey: string, value: unknown, lifeSeconds = HOUR_SECONDS): Promise<void> =>
    // On a busy machine the first connection may take too long for a command.
    eventually(async () => {
      const [seconds] = await redis.time();
      const text = signProjection(macs, redisKey, value, (Number(seconds) + lifeSeconds) * 1_000);
      await redis.set(redisKey, text, 'EX', HOUR_SECONDS);
    });
  const addAccount = async (overrides: Partial<Principal> = {}, balance = {}) => {
    const key = createApiKey();
    const principal = newPrincipal(overrides);
    const ledgerBalance = newBalance(principal.accountId, balance);
    principals.set(digestSecret(key), principal);
    await project(identity.principal.key(digestSecret(key)), principal);
    await projections.writeIfNewer(
      creditsLedger.balance,
      [principal.accountId],
      ledgerBalance,
      ledgerBalance.version,
    );
    return { key, digest: digestSecret(key), principal, bearer: { authorization: `Bearer ${key}` } };
  };
  /** Until a test takes it away: identity's sweeps are not what is tested here, and a busy machine takes its time. */
  const keepFresh = async () => {
    await project(identity.principalsFresh.key(), '1');
  };
  await keepFresh();
  const stopGateways = async () => {
    await Promise.all(gateways.splice(0).map((gateway) => gateway.stop()));
  };
  const [{ url, health }] = gateways as [(typeof gateways)[number]];
  return {
    nats,
    redis,
    projections,
    bodies,
    ...fakes,
    files,
    addAccount,
    url,
    health,
    /** For a gateway in a process of its own. */
    environment: servers.environmentOf(service.surface.name),
    /** Another gateway on the same Redis and broker. */
    async addGateway(ownOverrides: Overrides = {}) {
      const gateway = await startOneGateway(servers, files, { ...overrides, ...ownOverrides });
      gateways.push(gateway);
      return gateway;
    },
    keepFresh,
    project,
    /** As identity has them. */
    codeMacs: ring.forUse(keyRingUses.signInCodes),
    /** Projects a cached transcript as the fetcher would. */
    cache: (transcript: DeliveredTranscript, file: string, fallback = true) =>
      bodies.write(
        transcriptFetcher.renderedSelection,
        [transcript.video.id, transcript.language.requested, String(fallback), transcript.format],
        { ...transcript, video: videoSummary.parse(transcript.video) },
        ...linkedBodies(transcript, file),
      ),
    storeFile: (transcript: DeliveredTranscript, file: string) =>
      void files.set(transcript.objectKey, storedFile(file)),
    /** Publishes an event to running gateways as its owner's relay would. */
    async broadcast<E extends Event>(event: E, payload: PayloadOf<E>) {
      const connection = await connect({ servers: nats.servers });
      connection.publish(event.subject, JSON.stringify(payload));
      await connection.drain();
    },
    stopGateways,
    async stop() {
      await stopGateways();
      await servers.stop();
    },
    newId: randomUUID,
  };
};
export type TestGateway = Awaited<ReturnType<typeof startTestGateway>>;

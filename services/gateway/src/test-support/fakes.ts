import {
  type Contract,
  creditsLedger,
  identity,
  type Principal,
  serviceError,
  transcriptFetcher,
} from '@tds/contracts';
import { startService } from '@tds/service-kit';
import { type Fake, fakeOf } from '@tds/service-kit/testing';
import { newAccountFacts, newApiKey, newBalance, newDelivered } from './builders.ts';

const startFake = async <C extends Contract>(
  { service, commands, asked, kit }: Fake<C>,
  environment: NodeJS.ProcessEnv,
) => {
  const running = await startService(service, environment, { processMetrics: false });
  let stopped: Promise<void> | undefined;
  return {
    commands,
    asked,
    kit: kit(),
    stop: () => {
      stopped ??= running.stop();
      return stopped;
    },
  };
};

/** `principals` by the digest of their keys: a busy machine's Redis may be late, and then identity is asked. */
export const startIdentity = (environment: NodeJS.ProcessEnv, principals: ReadonlyMap<string, Principal>) =>
  startFake(
    fakeOf(identity, {
      requestCode: async () => ({}),
      verifyCode: async () => {
        throw serviceError('invalid_code');
      },
      endSession: async () => ({}),
      listSessions: async () => ({ sessions: [] }),
      endSessions: async () => ({ ended: 1 }),
      authenticateKey: async ({ keyDigest }) => {
        const principal = principals.get(keyDigest);
        if (principal === undefined) throw serviceError('invalid_api_key');
        return principal;
      },
      authenticateSession: async () => {
        throw serviceError('session_required');
      },
      listKeys: async () => ({ keys: [newApiKey()], liveKeys: 1, keyLimit: 2 }),
      createKey: async ({ name, dailyCreditCap, keyPrefix: prefix }) =>
        newApiKey({ name, dailyCreditCap, prefix }),
      updateKey: async ({ keyId }) => newApiKey({ id: keyId }),
      revokeKey: async ({ keyId }) => newApiKey({ id: keyId, status: 'revoked' }),
      rotateKey: async ({ keyId, keyPrefix: prefix }) => ({
        key: newApiKey({ prefix }),
        replaced: newApiKey({ id: keyId, status: 'revoking' }),
      }),
      getAccount: async () => newAccountFacts(),
      closeAccount: async () => ({ closedAt: '2026-01-15T12:00:00.000Z' }),
    }),
    environment,
  );

export const startLedger = (environment: NodeJS.ProcessEnv) =>
  startFake(
    fakeOf(creditsLedger, {
      getBalance: async ({ accountId }) => newBalance(accountId),
      getDayUsage: async () => ({
        ...{ requests: 0, cacheHits: 0, coldDeliveries: 0, failures: 0, creditsCharged: 0 },
        byKey: [],
      }),
      recordUsage: async () => ({ isNews: true }),
      getUsage: async () => ({ rows: [], isKnownKey: true }),
      getLedger: async () => ({ rows: [], asOf: 0, total: 0, isKnownKey: true }),
    }),
    environment,
  );

export const startFetcher = (environment: NodeJS.ProcessEnv) =>
  startFake(
    fakeOf(transcriptFetcher, {
      getTranscript: async () => {
        throw serviceError('no_captions');
      },
      pollRequest: async () => {
        throw serviceError('request_not_found');
      },
      disownRequest: async () => ({}),
      getVideoFacts: async ({ videoId }) => ({
        video: {
          ...newDelivered('').video,
          id: videoId,
          status: 'unknown' as const,
          error_class: null,
          fetched_at: null,
        },
        cached_languages: [],
        caption_tracks: [],
        selected: null,
      }),
    }),
    environment,
  );

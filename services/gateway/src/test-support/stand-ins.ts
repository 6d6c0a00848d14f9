import {
  authenticateKey,
  authenticateSession,
  closeAccount,
  createKey,
  defineSurface,
  disownRequest,
  endSession,
  endSessions,
  getAccount,
  getBalance,
  getDayUsage,
  getLedger,
  getTranscript,
  getUsage,
  getVideoFacts,
  listKeys,
  listSessions,
  type Principal,
  pollRequest,
  recordUsage,
  requestCode,
  revokeKey,
  rotateKey,
  type Surface,
  serviceError,
  updateKey,
  verifyCode,
} from '@tds/contracts';
import { type Handlers, type Kit, type RunningService, startService } from '@tds/service-kit';
import { newAccountFacts, newApiKey, newBalance, newDelivered } from './builders.ts';

const identitySurface = defineSurface({
  name: 'identity',
  answers: [
    requestCode,
    verifyCode,
    endSession,
    listSessions,
    endSessions,
    authenticateKey,
    authenticateSession,
    listKeys,
    createKey,
    updateKey,
    revokeKey,
    rotateKey,
    getAccount,
    closeAccount,
  ],
});
const ledgerSurface = defineSurface({
  name: 'credits-ledger',
  answers: [getBalance, getDayUsage, recordUsage, getUsage, getLedger],
});
const fetcherSurface = defineSurface({
  name: 'transcript-fetcher',
  answers: [getTranscript, pollRequest, disownRequest, getVideoFacts],
});

type Commands<S extends Surface> = Handlers<S>['commands'];

export type StandIn<S extends Surface = Surface> = {
  /** Replaced by tests to script answers. */
  readonly commands: Commands<S>;
  /** Name and request of every command that came. */
  readonly heard: { readonly name: string; readonly request: unknown }[];
  readonly kit: Kit<S>;
  stop(): Promise<void>;
};

/** A service that answers what its `commands` say at the moment. */
const startStandIn = async <S extends Surface>(
  surface: S,
  environment: NodeJS.ProcessEnv,
  commands: NoInfer<Commands<S>>,
): Promise<StandIn<S>> => {
  const heard: { name: string; request: unknown }[] = [];
  let kit: Kit<S> | undefined;
  const scripted = commands as Record<string, (request: never, context: never) => Promise<unknown>>;
  const dispatching = Object.fromEntries(
    surface.answers.map(({ name }) => [
      name,
      async (request: unknown, context: unknown) => {
        heard.push({ name, request });
        return scripted[name]?.(request as never, context as never);
      },
    ]),
  );
  const none = { tasks: {}, listeners: {}, watchers: {}, schedules: {} };
  const running: RunningService = await startService(
    {
      surface,
      start: async (lent: Kit<S>) => {
        kit = lent;
        return { ...none, commands: dispatching };
      },
    },
    environment,
    { processMetrics: false },
  );
  let stopped: Promise<void> | undefined;
  return {
    commands,
    heard,
    kit: kit as unknown as Kit<S>,
    stop: () => {
      stopped ??= running.stop();
      return stopped;
    },
  };
};

/** `principals` by the digest of their keys: a busy machine's Redis may be late, and then identity is asked. */
export const startIdentity = (environment: NodeJS.ProcessEnv, principals: ReadonlyMap<string, Principal>) =>
  startStandIn(identitySurface, environment, {
    'request-code': async () => ({}),
    'verify-code': async () => {
      throw serviceError('invalid_code');
    },
    'end-session': async () => ({}),
    'list-sessions': async () => ({ sessions: [] }),
    'end-sessions': async () => ({ ended: 1 }),
    'authenticate-key': async ({ keyDigest }) => {
      const principal = principals.get(keyDigest);
      if (principal === undefined) throw serviceError('invalid_api_key');
      return principal;
    },
    'authenticate-session': async () => {
      throw serviceError('session_required');
    },
    'list-keys': async () => ({ keys: [newApiKey()], liveKeys: 1, keyLimit: 2 }),
    'create-key': async ({ name, dailyCreditCap, keyPrefix: prefix }) =>
      newApiKey({ name, dailyCreditCap, prefix }),
    'update-key': async ({ keyId }) => newApiKey({ id: keyId }),
    'revoke-key': async ({ keyId }) => newApiKey({ id: keyId, status: 'revoked' }),
    'rotate-key': async ({ keyId, keyPrefix: prefix }) => ({
      key: newApiKey({ prefix }),
      replaced: newApiKey({ id: keyId, status: 'revoking' }),
    }),
    'get-account': async () => newAccountFacts(),
    'close-account': async () => ({ closedAt: '2026-01-15T12:00:00.000Z' }),
  });

export const startLedger = (environment: NodeJS.ProcessEnv) =>
  startStandIn(ledgerSurface, environment, {
    'get-balance': async ({ accountId }) => newBalance(accountId),
    'get-day-usage': async () => ({
      ...{ requests: 0, cacheHits: 0, coldDeliveries: 0, failures: 0, creditsCharged: 0 },
      byKey: [],
    }),
    'record-usage': async () => ({ isNews: true }),
    'get-usage': async () => ({ rows: [], isKnownKey: true }),
    'get-ledger': async () => ({ rows: [], asOf: 0, total: 0, isKnownKey: true }),
  });

export const startFetcher = (environment: NodeJS.ProcessEnv) =>
  startStandIn(fetcherSurface, environment, {
    'get-transcript': async () => {
      throw serviceError('no_captions');
    },
    'poll-request': async () => {
      throw serviceError('request_not_found');
    },
    'disown-request': async () => ({}),
    'get-video-facts': async ({ videoId }) => ({
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
  });

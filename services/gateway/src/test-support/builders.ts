import { createHash, randomUUID } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import {
  type ApiKey,
  type creditsLedger,
  type DeliveredTranscript,
  type identity,
  type Principal,
  type ReplyOf,
  type search,
  type TranscriptSelection,
  transcriptFetcher,
  unknownVideo,
} from '@tds/contracts';

type ListingReply = Extract<ReplyOf<typeof search.listVideos>, { state: 'page' }>;

const accountCreatedAt = '2026-01-01T00:00:00.000Z';

/** Of a key that is the first in its slot. */
export const newPrincipal = ({ keyId = randomUUID(), ...overrides }: Partial<Principal> = {}): Principal => ({
  accountId: randomUUID(),
  keyId,
  keyState: 'active',
  keyVersion: 0,
  limitId: keyId,
  status: 'active',
  tier: 'free',
  dailyCreditCap: null,
  accountCreatedAt,
  ...overrides,
});

export const newKeyPhase = (): ReplyOf<typeof identity.getKeyPhase> => ({
  ...{ accountStatus: 'active', tier: 'free', accountCreatedAt },
  ...{ phase: 'active', limitId: null, dailyCreditCap: null },
});

type LedgerBalance = ReplyOf<typeof creditsLedger.getBalance>;

export const newBalance = (accountId: string, overrides: Partial<LedgerBalance> = {}): LedgerBalance => ({
  accountId,
  free: 100,
  purchased: 0,
  reserved: 0,
  debt: 0,
  mailThreshold: null,
  buyUrl: 'http://localhost/buy',
  version: 1,
  month: new Date().toISOString().slice(0, 'YYYY-MM'.length),
  ...overrides,
});

/** A page of a listing that has no videos. */
export const newListing = (overrides: Partial<ListingReply> = {}): ListingReply => ({
  ...{ state: 'page', source: { kind: 'playlist', id: 'PLabcdefghijklmnop' }, contents: 'all', offset: 0 },
  ...{ videos: [], counts: { listed: 0, cold: 0 }, total: 0, next_offset: null },
  ...{ listed_at: '2026-11-20T12:00:00.000Z', freshForMs: 0 },
  ...overrides,
});

export const newApiKey = (overrides: Partial<ApiKey> = {}): ApiKey => ({
  id: randomUUID(),
  name: 'default',
  prefix: 'svc_live_abc',
  daily_credit_cap: null,
  status: 'active',
  created_at: '2026-01-01T00:00:00.000Z',
  last_used_at: null,
  revokes_at: null,
  revoked_at: null,
  replaced_by: null,
  ...overrides,
});

type AccountFacts = ReplyOf<typeof identity.getAccount>;

export const newAccountFacts = (
  account: Partial<AccountFacts['account']> = {},
  keys: Partial<AccountFacts['keys']> = {},
): AccountFacts => ({
  account: {
    id: randomUUID(),
    email: 'you@example.com',
    status: 'active',
    frozen_reason: null,
    tier: 'free',
    created_at: '2026-01-01T00:00:00.000Z',
    ...account,
  },
  mail: { time_zone: 'UTC', digest_hour: 8, digest_day: 1, event_mails: true },
  keys: { live: 1, limit: 2, current: null, ...keys },
});

export const VIDEO_ID = 'dQw4w9WgXcQ';

/** A delivery of `file`, as the fetcher would answer it. */
export const newTranscript = (
  file: string,
  overrides: Partial<DeliveredTranscript> = {},
): DeliveredTranscript => ({
  state: 'delivered',
  cache: 'MISS',
  creditsCharged: 1,
  video: {
    ...unknownVideo(VIDEO_ID),
    title: 'A "title" of \u{1F600}',
    published_at: '2009-10-25',
    duration: 212,
  },
  language: {
    requested: 'en',
    delivered: 'en',
    kind: 'manual',
    fallback: false,
    translation: 'not_requested',
  },
  format: 'both',
  fetchedAt: '2026-01-15T12:00:00.000Z',
  objectKey: `rendered/${createHash('sha256').update(file).digest('hex')}`,
  bytes: Buffer.byteLength(file),
  sha256: createHash('sha256').update(file).digest('hex'),
  ...overrides,
});

const sha256Of = (data: Buffer): string => createHash('sha256').update(data).digest('hex');

/** What the fetcher projects behind the head of a delivery; null is no file. */
export const linkedBodies = ({ video, sha256 }: DeliveredTranscript, file: string | null) => {
  const details = Buffer.from(JSON.stringify(video));
  return [
    {
      projection: transcriptFetcher.renderedFile,
      keyParts: [file === null ? 'nowhere' : sha256],
      body: file === null ? null : Buffer.from(file),
    },
    { projection: transcriptFetcher.transcriptVideo, keyParts: [sha256Of(details)], body: details },
  ] as const;
};

type RequestedTranscript = Pick<TranscriptSelection, 'videoId' | 'language' | 'format'>;

/** A delivery of `file`. */
export const newTranscriptFor = (
  { videoId, language, format }: RequestedTranscript,
  file: string,
  overrides: Partial<DeliveredTranscript> = {},
): DeliveredTranscript => {
  const defaults = newTranscript(file);
  const video = { ...defaults.video, id: videoId };
  return {
    ...defaults,
    video,
    format,
    language: { ...defaults.language, requested: language, delivered: language },
    ...overrides,
  };
};

/** As rendered files lie in the object store. */
export const storedFile = (file: string): Buffer => deflateRawSync(file);

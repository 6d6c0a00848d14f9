import { deflateRawSync } from 'node:zlib';
import { type AnsweredTranscript, serviceError } from '@tds/contracts';
import { testContext } from '@tds/service-kit/testing';
import { describe, expect, it } from 'vitest';
import type { Operation } from '../domain/operation.ts';
import { rendered, transcript, video } from '../test-support/cached.ts';
import { answerOperation } from './answer-operation.ts';
import { describe as describeFile } from './deliver.ts';
import { OperationWaiters } from './operation-waiters.ts';

const id = '00000000-0000-7000-8000-000000000009';
const row: Operation = {
  ...{ id, accountId: id, keyId: id, videoId: video.id, language: 'en', fallback: true, format: 'srt' },
  ...{ state: 'delivered', settlement: 'pending', price: 2, charge: 2, transcriptId: transcript.id },
  ...{ isFallback: false, translation: 'not_requested', error: null, createdAt: new Date() },
};
const file = deflateRawSync(JSON.stringify([{ startMs: 0, durationMs: 1_000, text: 'hello' }]));
const choice = { isFallback: false, translation: 'not_requested' } as const;
/** What the language leads to. */
const leadsTo = (transcript_id: string) => ({
  ...{ title: 'Now', channel_id: null, channel_title: null, published_at: null, duration: 1, fact: null },
  ...{ is_fallback: false, translation: 'not_requested', available: ['en'], expires_at: null, transcript_id },
  ...{ language_code: 'en', kind: 'manual', cues_key: 'cues/now', cached_at: new Date(), snapshot: null },
  ...{ strategy: null, file_key: rendered.objectKey, bytes: rendered.bytes, sha256: rendered.sha256 },
});

/** An operation as the tables have it, whose charge is told to whoever may be told it. */
const setUp = (found: object | null, { leads = transcript.id, mayBeTold = true } = {}) => {
  const claims: unknown[][] = [];
  const waiters = new OperationWaiters();
  const sql = async ({ name }: { name: string }, values: unknown[]) => {
    if (name === 'find-cached') return [leadsTo(leads)];
    claims.push(values);
    return [{ isReported: mayBeTold }];
  };
  const { languageCode, kind, cachedAt, strategy } = transcript;
  const kept = { languageCode, kind, cachedAt, strategy, videoId: video.id, objectKey: 'cues/then', video };
  const deps = {
    sql,
    db: {
      operation: { findUnique: async () => found },
      transcript: { findUniqueOrThrow: async () => kept },
      renderedFile: { createMany: async () => {} },
    },
    objects: { getBytes: async () => file, put: async () => {} },
    bodies: { write: async () => {} },
    waiters,
  };
  const context = testContext({ requestId: 'this request' });
  const answer = (asked: object = {}) =>
    answerOperation(deps as never, { id, waitMs: 0, format: undefined, ...asked }, context);
  return { claims, waiters, answer };
};

describe('an operation that has ended', () => {
  it('is answered with its charge to the one request that may be told it', async () => {
    const { claims, answer } = setUp(row);
    expect(await answer({ creditsLeft: 7 })).toMatchObject({
      ...{ state: 'delivered', cache: 'MISS', creditsCharged: 2, creditsLeft: 7 },
      ...{ sha256: rendered.sha256, format: 'srt' },
    });
    expect(claims).toEqual([[id, 'this request']]);
    expect(await setUp(row, { mayBeTold: false }).answer()).toMatchObject({
      cache: 'MISS',
      creditsCharged: 0,
    });
  });

  it('is a hit for nothing where it was not charged, and nobody is told anything of a charge', async () => {
    const { claims, answer } = setUp({ ...row, charge: 0, settlement: 'released' });
    expect(await answer({ creditsLeft: 7 })).toMatchObject({ cache: 'HIT', creditsCharged: 0 });
    expect(await answer({ creditsLeft: 7 })).not.toHaveProperty('creditsLeft');
    expect(claims).toEqual([]);
  });

  it('stays what was delivered where its language leads elsewhere by now', async () => {
    const { answer } = setUp(row, { leads: '00000000-0000-7000-8000-00000000000a' });
    const answered = (await answer()) as AnsweredTranscript;
    expect(answered).toMatchObject({ video, objectKey: `rendered/${transcript.id}/srt` });
    expect(answered.sha256).not.toBe(rendered.sha256);
  });

  it('is its own error where it has failed', async () => {
    const error = serviceError('no_captions').data;
    const failed = { ...row, state: 'failed', settlement: 'released', charge: 0, transcriptId: null, error };
    await expect(setUp(failed).answer()).rejects.toMatchObject({ data: error });
  });

  it.each(['transcriptId', 'isFallback', 'translation'])(
    'is never delivered without its %s',
    async (column) => {
      await expect(setUp({ ...row, [column]: null }).answer()).rejects.toThrow('without a transcript');
    },
  );
});

describe('an operation that was ended by this process', () => {
  const delivered = describeFile(row, transcript, choice, { ...rendered, sha256: 'as rendered here' });
  const outcome = { operation: row, delivered, isReportedToOpener: true };
  const answerFromMemory = async (asked: object, isReportedToOpener = true) => {
    const { claims, waiters, answer } = setUp(row);
    const answering = answer({ isNew: true, waitMs: 60_000, ...asked });
    waiters.wake(id, { ...outcome, isReportedToOpener });
    return { answer: await answering, claims };
  };

  it('is answered from memory, and the request that opened it needs no look to be told the charge', async () => {
    const { answer, claims } = await answerFromMemory({});
    expect(answer).toMatchObject({ sha256: 'as rendered here', cache: 'MISS', creditsCharged: 2 });
    expect(claims).toEqual([]);
  });

  it('is rendered for who asks for another format', async () => {
    const { answer } = await answerFromMemory({ format: 'md' });
    expect(answer).toMatchObject({ format: 'md' });
    expect(answer).not.toMatchObject({ sha256: 'as rendered here' });
  });

  it('asks who may be told where the delivery did not say', async () => {
    const { answer, claims } = await answerFromMemory({}, false);
    expect(answer).toMatchObject({ creditsCharged: 2 });
    expect(claims).toHaveLength(1);
  });
});

describe('an operation that has not ended', () => {
  it.each([
    ['is still worked on', { ...row, state: 'fetching', charge: 0 }],
    ['has failed, and its credit is not given back yet', { ...row, state: 'failed', charge: 0 }],
  ])('is polled for under its own id while it %s', async (_what, found) => {
    expect(await setUp(found).answer()).toEqual({ state: 'pending', requestId: id });
  });

  it('and never was is not found', async () => {
    await expect(setUp(null).answer()).rejects.toMatchObject({ code: 'request_not_found' });
  });
});

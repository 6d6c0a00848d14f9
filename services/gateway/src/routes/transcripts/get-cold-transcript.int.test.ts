import { describe, expect, it } from '@jest/globals';
import type { TranscriptSelection } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { errorEnvelope, pendingBody } from '@tds/http-api';
import request from 'supertest';
import { newBalance, newTranscript, newTranscriptFor, VIDEO_ID } from '../../test-support/builders.ts';
import { FILE, setUpReads } from '../../test-support/reads.ts';

const reads = setUpReads();
const { get, freshVideo } = reads;
/** A wait is asked for in slices. */
const SLICE_MS = 5_000;
const SHORT_WAIT_MS = 700;

describe('a cold transcript', () => {
  it('is requested from the fetcher with a wait, and shows its charge and the balance after it', async () => {
    const video = freshVideo();
    reads.harness.storeFile(newTranscript(FILE), FILE);
    reads.harness.fetcher.commands.getTranscript = async (asked) => newTranscriptFor(asked, FILE);
    reads.harness.ledger.commands.getBalance = async ({ accountId }) => newBalance(accountId, { free: 99 });
    const answer = await get(`/v1/transcript?video_id=${video}&language=PT-br&fallback=false&format=srt`);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'x-cache': 'MISS',
      'x-credits-charged': '1',
      'x-credits-balance': '99',
    });
    expect(reads.harness.fetcher.asked).toMatchObject([
      {
        name: 'getTranscript',
        request: {
          videoId: video,
          language: 'pt-BR',
          fallback: false,
          format: 'srt',
          accountId: reads.account.principal.accountId,
          keyId: reads.account.principal.keyId,
          tier: 'paid',
          requestId: answer.headers['x-request-id'],
          cacheOnly: false,
          waitMs: SLICE_MS,
        },
      },
    ]);
    const again = await get(`/v1/transcript?video_id=${video}&language=pt-BR&fallback=0&format=srt`);
    expect(again.headers).toMatchObject({ 'x-cache': 'HIT', 'x-credits-charged': '0' });
    expect(again.text).toBe(answer.text);
  });

  it('shows the balance of its answer, without a call to the ledger', async () => {
    const video = freshVideo();
    const miss = { cache: 'MISS', creditsCharged: 1, creditsLeft: 41 } as const;
    reads.harness.storeFile(newTranscript(FILE), FILE);
    reads.harness.fetcher.commands.getTranscript = async (asked) => newTranscriptFor(asked, FILE, miss);
    reads.harness.ledger.asked.length = 0;
    const answer = await get(`/v1/transcript?video_id=${video}&format=srt`);
    expect(answer.headers).toMatchObject({ 'x-credits-charged': '1', 'x-credits-balance': '41' });
    // Usage of earlier requests may be reported meanwhile.
    expect(reads.harness.ledger.asked.map(({ name }) => name)).not.toContain('getBalance');
  });

  it('with its text in the answer is served without a read of any store', async () => {
    reads.harness.fetcher.commands.getTranscript = async (asked) => ({
      ...newTranscriptFor(asked, FILE),
      text: FILE,
    });
    const answer = await get(`/v1/transcript?video_id=${freshVideo()}&format=srt&raw=1`);
    expect([answer.status, answer.text]).toEqual([200, FILE]);
  });

  it('with a lost answer is polled by its id before it is reported as failed', async () => {
    const video = freshVideo();
    const delivered = newTranscript(FILE, { video: { ...newTranscript('').video, id: video } });
    reads.harness.storeFile(delivered, FILE);
    reads.harness.fetcher.commands.getTranscript = () => Promise.reject(serviceError('service_unavailable'));
    reads.harness.fetcher.commands.pollRequest = async () => delivered;
    const answer = await get(`/v1/transcript?video_id=${video}`);
    expect([answer.status, answer.headers['x-credits-charged']]).toEqual([200, '1']);
    expect(reads.harness.fetcher.asked.at(-1)).toMatchObject({
      name: 'pollRequest',
      request: { requestId: answer.headers['x-request-id'], accountId: reads.account.principal.accountId },
    });
  });

  it('that exceeds the wait is a 202 with an address to poll in the same form', async () => {
    reads.harness.fetcher.commands.getTranscript = async ({ requestId }) => ({
      state: 'pending',
      requestId,
    });
    reads.harness.fetcher.commands.pollRequest = async ({ requestId }) => ({ state: 'pending', requestId });
    const impatient = await reads.harness.addGateway({ coldWaitMs: SHORT_WAIT_MS });
    const path = `/v1/transcript?video_id=${freshVideo()}&format=vtt&raw=1`;
    const answer = await request(impatient.url).get(path).set(reads.account.bearer);
    await impatient.stop();
    expect(answer.status).toBe(202);
    expect(answer.headers).toMatchObject({ 'x-cache': 'MISS', 'x-credits-charged': '0', 'retry-after': '2' });
    const { request_id, poll_url } = pendingBody.parse(answer.body);
    expect(poll_url).toBe(`/v1/transcript?request_id=${request_id}&format=vtt&raw=1`);
    const delivered = newTranscript(FILE, { format: 'vtt' });
    reads.harness.storeFile(delivered, FILE);
    reads.harness.fetcher.commands.pollRequest = async () => delivered;
    const polled = await get(poll_url);
    expect(polled.text).toBe(FILE);
    expect(polled.headers['content-type']).toBe('text/vtt; charset=utf-8');
    expect(reads.harness.fetcher.asked.at(-1)).toEqual({
      name: 'pollRequest',
      request: {
        accountId: reads.account.principal.accountId,
        requestId: request_id,
        format: 'vtt',
        waitMs: 10_000,
      },
    });
  });

  it('with a refused translation is not kept, because the next request may succeed', async () => {
    const video = freshVideo();
    const language = {
      requested: 'es',
      delivered: 'en',
      kind: 'asr',
      fallback: true,
      translation: 'refused',
    } as const;
    const delivered = newTranscript(FILE, { language, video: { ...newTranscript('').video, id: video } });
    reads.harness.storeFile(delivered, FILE);
    reads.harness.fetcher.commands.getTranscript = async () => delivered;
    await get(`/v1/transcript?video_id=${video}&language=es`);
    await get(`/v1/transcript?video_id=${video}&language=es`);
    expect(reads.harness.fetcher.asked).toHaveLength(2);
  });

  it.each<[part: string, difference: () => Partial<TranscriptSelection>]>([
    ['format', () => ({ format: 'clean' })],
    ['language', () => ({ language: 'fr' })],
    ['video', () => ({ videoId: freshVideo() })],
  ])('answered in another %s is an error, neither charged nor kept', async (_part, difference) => {
    const video = freshVideo();
    reads.harness.storeFile(newTranscript(FILE), FILE);
    reads.harness.fetcher.commands.getTranscript = async (asked) =>
      newTranscriptFor({ ...asked, ...difference() }, FILE);
    const path = `/v1/transcript?video_id=${video}&format=srt&raw=1`;
    const answer = await get(path);
    expect(answer.status).toBe(500);
    expect(answer.headers['x-credits-charged']).toBe('0');
    expect(errorEnvelope.parse(answer.body)).toMatchObject({ code: 'unexpected_error' });
    reads.harness.fetcher.commands.getTranscript = async (asked) => newTranscriptFor(asked, FILE);
    const next = await get(path);
    expect([next.status, next.headers['x-cache']]).toEqual([200, 'MISS']);
  });

  it('with a fallback for a strict caller is an error', async () => {
    const language = { ...newTranscript('').language, fallback: true };
    reads.harness.fetcher.commands.getTranscript = async (asked) => newTranscriptFor(asked, FILE, { language });
    const answer = await get(`/v1/transcript?video_id=${freshVideo()}&fallback=false`);
    expect([answer.status, answer.headers['x-credits-charged']]).toEqual([500, '0']);
  });

  it('polled in one format and answered in another is an error', async () => {
    reads.harness.fetcher.commands.pollRequest = async () => newTranscript(FILE, { format: 'clean' });
    const answer = await get(`/v1/transcript?request_id=${reads.harness.newId()}&format=srt&raw=1`);
    expect([answer.status, answer.headers['x-credits-charged']]).toEqual([500, '0']);
  });

  it('with a missing file is a retryable error, not a broken body', async () => {
    reads.harness.fetcher.commands.getTranscript = async (asked) => newTranscriptFor(asked, 'nowhere');
    const answer = await get(`/v1/transcript?video_id=${freshVideo()}`);
    expect(answer.status).toBe(502);
    expect(errorEnvelope.parse(answer.body)).toMatchObject({ code: 'cache_object_missing', retryable: true });
  });

  it('that fails has the envelope, its extras and no charge', async () => {
    reads.harness.fetcher.commands.getTranscript = async () => {
      throw serviceError('insufficient_credits', {
        extras: { required: 1, available: 0, shortfall: 1, buy_url: 'https://api.example/buy' },
      });
    };
    const answer = await get(`/v1/transcript?video_id=${freshVideo()}`);
    expect(answer.status).toBe(402);
    expect(answer.headers['x-credits-charged']).toBe('0');
    expect(errorEnvelope.parse(answer.body)).toEqual({
      ok: false,
      errorClass: 'InsufficientCredits',
      code: 'insufficient_credits',
      message: expect.any(String),
      retryable: false,
      docs_url: 'https://api.example/docs/errors#InsufficientCredits',
      request_id: answer.headers['x-request-id'],
      required: 1,
      available: 0,
      shortfall: 1,
      buy_url: 'https://api.example/buy',
    });
  });
});

describe('the query', () => {
  it.each([
    ['', 'unknown_query_mode'],
    [`?video_id=${VIDEO_ID}&request_id=0b0e5a8e-6c5e-4c5e-9c5e-6c5e4c5e9c5e`, 'conflicting_query_modes'],
    ['?request_id=nonsense', 'invalid_request_id'],
  ])('%s is rejected as %s', async (search, code) => {
    const answer = await get(`/v1/transcript${search}`);
    expect(answer.status).toBe(400);
    expect(answer.body.code).toBe(code);
    expect(answer.headers['x-credits-charged']).toBe('0');
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serviceError } from '@tds/errors';
import { eventually } from '@tds/test-kit';
import { newTranscript, VIDEO_ID } from '../test-support/builders.ts';
import { sendRaw } from '../test-support/raw-http.ts';
import { startTestGateway, type TestGateway } from '../test-support/start-gateway.ts';
import { MAX_UNANSWERED_REQUESTS } from './front-door.ts';

const FILE = 'Hello';
const SILENCE_MS = 5_000;
let harness: TestGateway;
let authorization: string;

beforeAll(async () => {
  harness = await startTestGateway();
  await harness.cache(newTranscript(FILE), FILE);
});
afterAll(() => harness?.stop());

const newKey = async () => {
  authorization = (await harness.addAccount({ tier: 'paid' })).bearer.authorization;
};
const requestOf = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: api.example\r\nAuthorization: ${authorization}\r\n\r\n`;
const closing = (path: string): string => requestOf(path).replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
const statusesOf = (answers: string): string[] =>
  [...answers.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status as string);

/** Cold requests that are held until the test lets them go. */
const hold = () => {
  const held = Promise.withResolvers<void>();
  harness.fetcher.commands.getVideoFacts = async () => {
    await held.promise;
    throw serviceError('service_unavailable');
  };
  return held.resolve;
};

describe('one connection', () => {
  it('accepts sixteen requests at once, rejects the next with an envelope, and ends after the sixteen answers', async () => {
    await newKey();
    const letGo = hold();
    harness.fetcher.asked.length = 0;
    const path = `/v1/video?video_id=${VIDEO_ID}`;
    const sent = sendRaw(harness.url, requestOf(path).repeat(MAX_UNANSWERED_REQUESTS + 5), SILENCE_MS);
    await eventually(() => expect(harness.fetcher.asked).toHaveLength(MAX_UNANSWERED_REQUESTS));
    letGo();
    const answers = await sent;
    expect(statusesOf(answers)).toEqual([...Array(MAX_UNANSWERED_REQUESTS).fill('503'), '429']);
    const refusal = answers.slice(answers.lastIndexOf('HTTP/1.1'));
    expect(refusal).toMatch(/\r\nConnection: close\r\n/i);
    expect(refusal).toMatch(/\r\nRetry-After: 1\r\n/);
    expect(refusal).toContain('"code":"rate_limit"');
    expect(harness.fetcher.asked).toHaveLength(MAX_UNANSWERED_REQUESTS);
  });

  it('with hundreds of requests is cut off, and none beyond the limit is processed', async () => {
    await newKey();
    const letGo = hold();
    harness.fetcher.asked.length = 0;
    const path = `/v1/video?video_id=${VIDEO_ID}`;
    const answers = await sendRaw(harness.url, requestOf(path).repeat(300), SILENCE_MS);
    expect(answers).toBe('');
    expect(harness.fetcher.asked.length).toBeLessThanOrEqual(MAX_UNANSWERED_REQUESTS);
    letGo();
  });

  it('may send any number of requests, sixteen at a time', async () => {
    await newKey();
    const path = `/v1/transcript?video_id=${VIDEO_ID}&raw=1`;
    await sendRaw(harness.url, closing(path), SILENCE_MS);
    const lot = requestOf(path).repeat(MAX_UNANSWERED_REQUESTS - 1) + closing(path);
    expect(statusesOf(await sendRaw(harness.url, lot, SILENCE_MS))).toEqual(
      Array(MAX_UNANSWERED_REQUESTS).fill('200'),
    );
  });
});

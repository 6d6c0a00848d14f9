import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newAccountLimits, secondsToNextUtcDay } from '@tds/contracts';
import { errorEnvelope } from '@tds/http-api';
import {
  type Answer,
  bearer,
  call,
  creditsCharged,
  dashboard,
  fileVideo,
  postJson,
  shareTestSystem,
  signUp,
  type TestSystem,
} from '#support/testing';

let system: TestSystem;
beforeAll(async () => {
  system = await shareTestSystem();
});
afterAll(() => system?.stop());

const FIRST_VIDEO = 2_000;
const transcript = (index: number) => `/v1/transcript?video_id=${fileVideo(FIRST_VIDEO + index)}`;

const expectRamp = (refused: Answer) => {
  expect(refused.status).toBe(429);
  const body = errorEnvelope.parse(refused.json());
  expect(body).toMatchObject({ code: 'account_age_ramp', errorClass: 'QuotaExceeded', retryable: false });
  expect(body.message).toMatch(/25 new transcripts of today.*00:00 UTC/);
  expect(Number(refused.headers.get('retry-after'))).toBe(body.retry_after);
  expect(Math.abs(Number(body.retry_after) - secondsToNextUtcDay(new Date()))).toBeLessThanOrEqual(2);
  expect([creditsCharged(refused), refused.headers.get('x-credits-balance')]).toEqual([0, '75']);
};

describe('a new account on its first day', () => {
  it('fetches 25 transcripts cold and no more, with all keys together; cached reads go on, and a lost Redis changes nothing', async () => {
    const customer = await signUp(system);
    const { coldFetchesPerDay } = newAccountLimits;
    for (let index = 0; index < coldFetchesPerDay; index += 1) {
      const answer = await customer.get(transcript(index));
      expect([answer.status, creditsCharged(answer)]).toEqual([200, 1]);
    }
    expectRamp(await customer.get(transcript(coldFetchesPerDay)));
    const made = await postJson(`${system.gateway}/v1/keys`, { name: 'second' }, dashboard(customer));
    const second = made.json<{ key: { secret: string } }>().key.secret;
    expect(made.status).toBe(201);
    expectRamp(await call(system.gateway + transcript(coldFetchesPerDay), { headers: bearer(second) }));
    const cached = await customer.get(transcript(0));
    expect([cached.status, cached.headers.get('x-cache'), creditsCharged(cached)]).toEqual([200, 'HIT', 0]);
    await system.redis.kill();
    await system.redis.start();
    expectRamp(await customer.get(transcript(coldFetchesPerDay)));
    expect((await customer.get(transcript(1))).headers.get('x-cache')).toBe('HIT');
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tds/test-kit';
import { call, fileVideo, shareTestSystem, signUp, type TestSystem, waitingRows } from '#support/testing';

const canaries = () => [1, 2, 3].map(fileVideo);
let system: TestSystem;
beforeAll(async () => {
  system = await shareTestSystem();
  await system.restartServices(['transcript-fetcher'], { CANARY_VIDEOS: canaries().join(',') });
});
afterAll(() => system?.stop());

type Status = {
  status: string;
  new_fetches: boolean;
  strategies: { name: string; status: string }[];
  latency: Record<string, { p50_ms: number | null; p95_ms: number | null }>;
};
const check = async () => (await call(`${system.gateway}/v1/status`)).json<Status>();
/** A minute passes, and the known videos are looked at. */
const nextLook = () =>
  waitingRows(system, 'transcript-fetcher').makeDue('messaging.schedules', { where: "name = 'check-canary'" });
const becomes = (expected: object) =>
  eventually(
    async () => {
      await nextLook();
      expect(await check()).toMatchObject(expected);
    },
    { everyMs: 1_000 },
  );

describe('a customer who wonders whether it is them or us', () => {
  it('sees the platform`s block at the next looks, that cached transcripts go on, and that it is over', async () => {
    const customer = await signUp(system);
    const cached = `/v1/transcript?video_id=${fileVideo(951)}`;
    expect((await customer.get(cached)).status).toBe(200);
    await becomes({ status: 'operational', new_fetches: true, canary: { status: 'operational' } });

    const block = system.simulator.faults.add({ match: {}, fault: 'block' });
    await becomes({ status: 'degraded', canary: { status: 'down' } });
    expect((await customer.get(cached)).headers.get('x-cache')).toBe('HIT');
    expect((await customer.get(`/v1/transcript?video_id=${fileVideo(952)}`)).status).toBe(502);
    // People see the same, and since when.
    await eventually(
      async () => {
        const page = (await call(`${system.gateway}/status`)).text;
        expect(page).toContain('New transcripts are impaired');
        expect(page).toContain('known videos could not be fetched');
      },
      { everyMs: 1_000 },
    );

    system.simulator.faults.remove(block);
    await becomes({ status: 'operational', new_fetches: true, canary: { status: 'operational' } });
    expect((await customer.get(`/v1/transcript?video_id=${fileVideo(952)}`)).status).toBe(200);
  });

  it('sees how fast cached transcripts are, once there are enough of them', async () => {
    const customer = await signUp(system);
    for (let read = 0; read < 25; read += 1) await customer.get(`/v1/transcript?video_id=${fileVideo(951)}`);
    await eventually(
      async () => {
        const { p50_ms: p50, p95_ms: p95 } = (await check()).latency.transcript_cache_hits ?? {};
        expect(p50).toBeGreaterThan(0);
        expect(p95).toBeGreaterThanOrEqual(Number(p50));
      },
      { everyMs: 250 },
    );
  });
});

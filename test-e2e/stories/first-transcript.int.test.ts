import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectedCues } from '@tds/simulators/platform/testing';
import {
  bearer,
  call,
  creditsBalance,
  creditsCharged,
  fileVideo,
  shareTestSystem,
  signUp,
  type TestSystem,
} from '#support/testing';

let system: TestSystem;
beforeAll(async () => {
  system = await shareTestSystem();
});
afterAll(() => system?.stop());

describe('a stranger gets a first transcript', () => {
  it('pays 1 credit for the first read and nothing for the second, which is the same file byte for byte', async () => {
    const customer = await signUp(system);
    const path = `/v1/transcript?video_id=${fileVideo(1)}&format=srt&raw=1`;
    const first = await customer.get(path);
    const second = await customer.get(path);
    expect([first.status, first.headers.get('x-cache'), creditsCharged(first), creditsBalance(first)]).toEqual([
      200,
      'MISS',
      1,
      99,
    ]);
    expect([
      second.status,
      second.headers.get('x-cache'),
      creditsCharged(second),
      creditsBalance(second),
    ]).toEqual([200, 'HIT', 0, 99]);
    expect(second.text).toBe(first.text);
    expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(first.headers.get('content-disposition')).toMatch(/^attachment; filename=".+\.srt"/);
  });

  it('may ask with HEAD what is cached, which starts nothing and costs nothing', async () => {
    const customer = await signUp(system);
    const video = fileVideo(4);
    const path = `/v1/transcript?video_id=${video}`;
    const head = () => call(`${system.gateway}${path}`, { method: 'HEAD', headers: bearer(customer.key) });
    const cold = await head();
    expect([cold.status, cold.text, creditsCharged(cold), creditsBalance(cold)]).toEqual([404, '', 0, 100]);
    const ledger = (await customer.get('/v1/usage?resource=ledger')).json<{ rows: { kind: string }[] }>();
    expect(ledger.rows.filter(({ kind }) => kind !== 'monthly_grant')).toEqual([]);
    expect(system.simulator.requests().byVideo[video]).toBeUndefined();
    expect(creditsCharged(await customer.get(path))).toBe(1);
    const cached = await head();
    expect([cached.status, cached.headers.get('x-cache'), creditsCharged(cached)]).toEqual([200, 'HIT', 0]);
  });

  it('shares the cache: what one account has paid for costs another account nothing', async () => {
    const [one, other] = await Promise.all([signUp(system), signUp(system)]);
    const path = `/v1/transcript?video_id=${fileVideo(2)}`;
    expect(creditsCharged(await one.get(path))).toBe(1);
    const hit = await other.get(path);
    expect([hit.headers.get('x-cache'), creditsCharged(hit), creditsBalance(hit)]).toEqual(['HIT', 0, 100]);
  });

  it.each(['json', 'clean', 'timestamped', 'both', 'srt', 'vtt', 'md'])(
    'delivers the format %s',
    async (format) => {
      const customer = await signUp(system);
      const answer = await customer.get(`/v1/transcript?video_id=manualEn001&format=${format}`);
      expect(answer.status).toBe(200);
      const body = answer.json<{ format: string; cues?: unknown[]; text?: string }>();
      expect(body.format).toBe(format);
      expect(format === 'json' ? body.cues?.length : body.text?.length).toBeGreaterThan(0);
    },
  );

  it('delivers exactly what the platform says', async () => {
    const customer = await signUp(system);
    const answer = await customer.get('/v1/transcript?video_id=manualEn001&format=json');
    const cues = expectedCues('manualEn001', 'en', 'manual');
    expect(answer.json().cues).toEqual(
      cues.map(({ startMs, durationMs, text }) => ({
        start: startMs / 1_000,
        duration: durationMs / 1_000,
        text,
      })),
    );
  });

  it('answers what is known of a video without ever fetching it', async () => {
    const customer = await signUp(system);
    system.simulator.resetRequests();
    const unknown = await customer.get(`/v1/video?video_id=${fileVideo(3)}`);
    expect(unknown.json()).toMatchObject({
      ok: true,
      video: { status: 'unknown', title: null },
      cached_languages: [],
    });
    expect(system.simulator.requests().total).toBe(0);
    await customer.get(`/v1/transcript?video_id=${fileVideo(3)}`);
    const known = await customer.get(`/v1/video?url=https://youtu.be/${fileVideo(3)}?si=x`);
    expect(known.json()).toMatchObject({
      video: { id: fileVideo(3), status: 'fetched' },
      cached_languages: [{ language_code: 'en', kind: 'manual' }],
      selected: { language_code: 'en', kind: 'manual' },
    });
    expect(creditsCharged(known)).toBe(0);
  });
});

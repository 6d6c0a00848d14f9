import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { channelAt, giantChannel } from '@tds/simulators/platform';
import { channelVideoIds } from '@tds/simulators/platform/testing';
import {
  bearer,
  type Customer,
  creditsBalance,
  creditsCharged,
  fileVideo,
  postJson,
  shareTestSystem,
  signUp,
  type TestSystem,
} from '#support/testing';

const SEED = 1;
let system: TestSystem;
beforeAll(async () => {
  system = await shareTestSystem();
});
afterAll(() => system?.stop());

type Row = { video_id: string; cached: boolean; is_short: boolean; position: number };
type Listing = { videos: Row[]; counts: { cold: number }; next_offset: number | null; total: number };
type Page = {
  results: { video_id: string; cached: boolean }[];
  continuation: string | null;
  has_more: boolean;
};

const list = async (customer: Customer, source: string, more = ''): Promise<Listing> => {
  const answer = await customer.get(`/v1/videos?url=${encodeURIComponent(source)}${more}`);
  expect([answer.status, creditsCharged(answer)]).toEqual([200, 0]);
  return answer.json<Listing>();
};

describe('a customer who holds no video ids', () => {
  it('lists a channel by its handle, reads one of its videos, and sees it cached', async () => {
    const customer = await signUp(system);
    const { handle } = channelAt(2, SEED)!;
    const before = await list(customer, `https://www.youtube.com/${handle}`);
    expect(before.videos.map((row) => row.video_id)).toEqual(channelVideoIds(2, SEED));
    expect(before.counts.cold).toBe(before.total);
    await customer.get(`/v1/transcript?video_id=${fileVideo(70)}`);
    const read = before.videos.find((row) => row.position === 0)!;
    await customer.get(`/v1/transcript?video_id=${read.video_id}`);
    const after = await list(customer, handle);
    expect(after.videos.filter((row) => row.cached).map((row) => row.video_id)).toEqual([read.video_id]);
    expect(after.counts.cold).toBe(after.total - 1);
  });

  it('pages through a long channel by next_offset', async () => {
    const customer = await signUp(system);
    const first = await list(customer, giantChannel.id);
    expect([first.videos.length, first.next_offset]).toEqual([500, 500]);
    const second = await list(customer, giantChannel.id, '&offset=500');
    expect(second.videos[0]).toMatchObject({ position: 500, video_id: 'giant000500' });
  });

  it('turns a pasted text into a list, and lists it', async () => {
    const customer = await signUp(system);
    const text = `First https://youtu.be/${fileVideo(9)}, then (https://www.youtube.com/watch?v=${fileVideo(8)}&t=3).
      private_001
      https://www.youtube.com/@unknown`;
    const answer = await postJson(`${system.gateway}/v1/videos/resolve`, { text }, bearer(customer.key));
    const resolved = answer.json<{
      found: Row[];
      notFound: { value: string; reason: string }[];
      list: string;
    }>();
    expect(resolved.found.map((row) => row.video_id)).toEqual([fileVideo(9), fileVideo(8)]);
    expect(resolved.notFound.map(({ value, reason }) => [value, reason])).toEqual([
      ['private_001', 'unavailable'],
      ['https://www.youtube.com/@unknown', 'not_a_video'],
    ]);
    const listed = await list(customer, resolved.list);
    expect(listed.videos.map((row) => row.video_id)).toEqual([fileVideo(9), fileVideo(8)]);
  });

  it('searches page by page for a credit each, and gets a page again for nothing', async () => {
    const customer = await signUp(system);
    const first = await customer.get('/v1/search?q=harbour%20cranes');
    expect([first.status, creditsCharged(first), creditsBalance(first)]).toEqual([200, 1, 99]);
    const again = await customer.get('/v1/search?q=harbour%20cranes');
    expect([again.text, creditsCharged(again), creditsBalance(again)]).toEqual([first.text, 0, 99]);
    const { continuation, results } = first.json<Page>();
    const second = await customer.get(
      `/v1/search?q=harbour%20cranes&continuation=${encodeURIComponent(continuation ?? '')}`,
    );
    expect([second.status, creditsCharged(second), creditsBalance(second)]).toEqual([200, 1, 98]);
    const ids = new Set([...results, ...second.json<Page>().results].map((result) => result.video_id));
    expect(ids.size).toBe(40);
    const ledger = (await customer.get('/v1/usage?resource=ledger')).json<{ rows: { reason: string }[] }>();
    expect(ledger.rows.filter(({ reason }) => reason === 'search')).toHaveLength(2);
  });

  it('pays nothing for a search that fails, nor for one that it cannot pay', async () => {
    const customer = await signUp(system);
    system.simulator.faults.add({ match: { endpoint: 'search' }, fault: 'too_many_requests' });
    const failed = await customer.get('/v1/search?q=blocked');
    system.simulator.faults.clear();
    expect([failed.status, creditsCharged(failed), creditsBalance(failed)]).toEqual([502, 0, 100]);
    expect(failed.json()).toMatchObject({ errorClass: 'IpBlocked', retryable: true });
  });
});

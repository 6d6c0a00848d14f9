import { loadVideoId, specialVideos } from '@tds/simulators/platform';
import type { Customer } from './customers.ts';
import { type CallAnswer, makeCall } from './http-call.ts';
import type { Scene } from './scene.ts';
import type { Warm, Warmth } from './warmth.ts';

const VIDEOS_PER_SEED = 20_000;
const SEEDS_APART = 400;
const SHARED = 0.2;
const WARM_VIDEOS = 200;
const ACCEPTED = 202;
const OK = 200;
/** Answers to a poll after which the request is still open. */
const NOT_YET = [429, 503];

export type Pending = { readonly customer: Customer; readonly requestId: string };

const firstVideo = (seed: number): number => 1 + (Math.abs(seed) % SEEDS_APART) * VIDEOS_PER_SEED;

/** Unread videos, every fifth of them twice. */
const createFreshVideos = ({ random, seed }: Scene): (() => string) => {
  let number = firstVideo(seed);
  let last = '';
  return () => {
    if (last === '' || random.next() >= SHARED) {
      last = loadVideoId(number);
      number += 1;
    }
    return last;
  };
};

export const gatewayUrl = ({ gateway }: Scene, query: Record<string, string>, route = 'transcript'): string =>
  `${gateway}/v1/${route}?${new URLSearchParams(query)}`;

export const by = ({ key, accountId, keyId }: Customer) => ({
  accountId,
  keyId,
  headers: { authorization: `Bearer ${key}` },
});

export const bySession = ({ accountId, cookie }: Pick<Customer, 'accountId' | 'cookie'>) => ({
  accountId,
  headers: { cookie, 'x-service-dashboard': '1' },
});

/** Those that take half a minute would keep customers from everything else. */
const quickSpecials = specialVideos
  .map(({ id }) => id)
  .filter((id) => !/^(hangs|slow30|endless|slowDrip)/.test(id));
const file = { format: 'srt', raw: '1' };

/** Calls that read transcripts: fresh, cached, special, and polled after a 202. */
export const createTranscriptCalls = (scene: Scene, warmth: Warmth) => {
  const { history, customers, random } = scene;
  const videos: (Warm & { readonly videoId: string })[] = [];
  const pending: Pending[] = [];
  const freshVideo = createFreshVideos(scene);

  const learn = (customer: Customer, { record, json }: CallAnswer): void => {
    customer.spent += record.charged;
    if (record.status === ACCEPTED) pending.push({ customer, requestId: String(json?.request_id) });
  };
  const read = async (kind: 'cold' | 'special', videoId: string, query = {}): Promise<CallAnswer | null> => {
    const customer = customers.take(random, 'cold');
    if (!customer) return null;
    customer.creditsUnderWay += 1;
    customer.coldUnderWay += 1;
    customer.coldAsked += 1;
    const url = gatewayUrl(scene, { video_id: videoId, ...file, ...query });
    const answer = await makeCall(history, { kind, url, about: videoId, ...by(customer) });
    customer.coldUnderWay -= 1;
    customer.creditsUnderWay -= 1;
    if (kind === 'cold' && answer.record.status === OK) videos.push({ videoId, hotIn: -1 });
    learn(customer, answer);
    return answer;
  };
  const cached = async (): Promise<CallAnswer | null> => {
    const customer = customers.take(random, 'cached');
    const video = videos.length > 0 ? random.pick(videos.slice(-WARM_VIDEOS)) : undefined;
    if (!customer || !video) return null;
    const { videoId } = video;
    const call = { at: history.now(), epoch: warmth.epoch() };
    const hot = warmth.isHot(customer, video);
    const url = gatewayUrl(scene, { video_id: videoId, ...file });
    const answer = await makeCall(history, { kind: 'cached', url, about: videoId, hot, ...by(customer) });
    if (answer.record.outcome === 'ok') for (const what of [customer, video]) warmth.learn(what, call);
    learn(customer, answer);
    return answer;
  };
  const poll = async (one: Pending): Promise<CallAnswer> => {
    pending.splice(pending.indexOf(one), 1);
    const { customer, requestId } = one;
    const url = gatewayUrl(scene, { request_id: requestId, ...file });
    const answer = await makeCall(history, { kind: 'poll', url, about: requestId, ...by(customer) });
    if (answer.record.outcome === 'unknown' || NOT_YET.includes(answer.record.status ?? 0)) pending.push(one);
    learn(customer, answer);
    return answer;
  };
  return {
    pending,
    poll,
    cached,
    cold: () => read('cold', freshVideo()),
    special: () => read('special', random.pick(quickSpecials), { language: random.pick(['en', 'de', 'fr']) }),
    failing: () => read('special', 'botCheck_01'),
    pollAny: async () => (pending.length > 0 ? poll(random.pick(pending)) : null),
  };
};

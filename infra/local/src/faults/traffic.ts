import { randomUUID } from 'node:crypto';
import { createApiKey } from '@tds/contracts';
import { loadVideoId, specialVideos } from '@tds/platform-simulator';
import type { Customer, Customers } from './customers.ts';
import type { History } from './history.ts';
import { makeCall, type Told } from './http-call.ts';
import type { Random } from './random.ts';

/** Identity's projections live for ten minutes: younger customers are known to Redis for certain. */
const SURELY_PROJECTED_MS = 8 * 60_000;
/** A gateway remembers keys for ten seconds: an answer that is later than that after a loss was learnt after it. */
const SURELY_LEARNT_MS = 11_000;
const VIDEOS_PER_SEED = 20_000;
const SEEDS_APART = 400;

export type Traffic = {
  /** One call of each kind; resolves when its answer has come. */
  readonly calls: Readonly<Record<TrafficKind, () => Promise<Told | null>>>;
  /** To be called when the gateway or Redis has lost what it knew. */
  forgetHot(): void;
  /** Polls an accepted request as its customer. */
  poll(pending: Pending): Promise<Told>;
  /** Accepted with a 202 and not seen to end yet. */
  readonly pending: readonly Pending[];
};

export type TrafficKind =
  | 'cold'
  | 'cached'
  | 'special'
  | 'failing'
  | 'poll'
  | 'facts'
  | 'wrong'
  | 'stranger'
  | 'signUp';
export type Pending = { readonly customer: Customer; readonly requestId: string };

export type TrafficOptions = {
  readonly gateway: string;
  readonly history: History;
  readonly customers: Customers;
  readonly random: Random;
  readonly seed: number;
};

type Warm = { readonly videoId: string; hotIn: number };

const firstVideo = (seed: number): number => 1 + (Math.abs(seed) % SEEDS_APART) * VIDEOS_PER_SEED;

export const createTraffic = ({ gateway, history, customers, random, seed }: TrafficOptions): Traffic => {
  const warm: Warm[] = [];
  const pending: Pending[] = [];
  let nextVideo = firstVideo(seed);
  let lastCold = '';
  let epoch = 0;
  let lostAt = history.now();

  const address = (query: Record<string, string>, route = 'transcript'): string =>
    `${gateway}/v1/${route}?${new URLSearchParams(query)}`;
  const by = ({ key, accountId, keyId }: Customer) => ({
    accountId,
    keyId,
    headers: { authorization: `Bearer ${key}` },
  });

  const learn = (customer: Customer, { record, json }: Told, asked: number): Told => {
    customer.spent += record.charged;
    if (record.status === 202) pending.push({ customer, requestId: String(json?.request_id) });
    if (record.outcome === 'ok' && record.at > lostAt + SURELY_LEARNT_MS) customer.hotIn = asked;
    return { record, json, headers: new Headers() };
  };

  const transcript = async (kind: 'cold' | 'special', videoId: string, query = {}): Promise<Told | null> => {
    const customer = customers.take(random, 'cold');
    if (!customer) return null;
    const asked = epoch;
    customer.coldUnderWay += 1;
    const url = address({ video_id: videoId, format: 'srt', raw: '1', ...query });
    const told = await makeCall(history, { kind, url, about: videoId, ...by(customer) });
    customer.coldUnderWay -= 1;
    if (kind === 'cold' && told.record.status === 200) warm.push({ videoId, hotIn: asked });
    return learn(customer, told, asked);
  };

  const freshVideo = (): string => {
    const shared = lastCold !== '' && random.next() < 0.2;
    if (!shared) {
      lastCold = loadVideoId(nextVideo);
      nextVideo += 1;
    }
    return lastCold;
  };

  const cached = async (): Promise<Told | null> => {
    const customer = customers.take(random, 'cached');
    const video = warm.length > 0 ? random.pick(warm.slice(-200)) : undefined;
    if (!customer || !video) return null;
    const asked = epoch;
    const isYoung = history.now() - customer.since < SURELY_PROJECTED_MS;
    const hot = isYoung && customer.hotIn === epoch && video.hotIn === epoch;
    const url = address({ video_id: video.videoId, format: 'srt', raw: '1' });
    const told = await makeCall(history, { kind: 'cached', url, about: video.videoId, hot, ...by(customer) });
    if (told.record.outcome === 'ok') video.hotIn = asked;
    return learn(customer, told, asked);
  };

  const poll = async (one: Pending): Promise<Told> => {
    const url = address({ request_id: one.requestId, format: 'srt', raw: '1' });
    const told = await makeCall(history, { kind: 'poll', url, about: one.requestId, ...by(one.customer) });
    const hasEnded =
      told.record.outcome === 'ok'
        ? told.record.status === 200
        : told.record.code !== null && told.record.status !== 503 && told.record.status !== 429;
    if (hasEnded) pending.splice(pending.indexOf(one), 1);
    return learn(one.customer, told, epoch);
  };

  const known = (kind: 'facts' | 'wrong', url: string, about: string): Promise<Told> | null => {
    const customer = customers.take(random, 'cached');
    return customer ? makeCall(history, { kind, url, about, ...by(customer) }) : null;
  };

  const wrong = async (): Promise<Told | null> => {
    const key = customers.all.at(-1)?.key ?? '';
    const mistakes: (() => Promise<Told> | null)[] = [
      () =>
        makeCall(history, {
          kind: 'wrong',
          url: address({ video_id: 'manualEn001', api_key: key }),
          about: 'key in the query',
        }),
      () => makeCall(history, { kind: 'wrong', url: address({ video_id: 'manualEn001' }), about: 'no key' }),
      () => known('wrong', address({ video_id: 'short' }), 'bad video id'),
      () => known('wrong', address({ video_id: 'manualEn001', request_id: randomUUID() }), 'both modes'),
      () => known('wrong', address({ request_id: randomUUID() }), 'unknown request'),
      () => known('wrong', `${gateway}/v1/nothing-here`, 'unknown path'),
    ];
    return (await random.pick(mistakes)()) ?? null;
  };

  const specials = specialVideos
    .map(({ id }) => id)
    .filter((id) => !/^(hangs|slow30|endless|slowDrip)/.test(id));
  return {
    calls: {
      cold: () => transcript('cold', freshVideo()),
      cached,
      special: () =>
        transcript('special', random.pick(specials), { language: random.pick(['en', 'de', 'fr']) }),
      failing: () => transcript('special', 'botCheck_01'),
      poll: async () => (pending.length > 0 ? poll(random.pick(pending)) : null),
      facts: async () => known('facts', address({ video_id: random.pick(specials) }, 'video'), 'facts'),
      wrong,
      stranger: () => {
        const headers = { authorization: `Bearer ${createApiKey()}` };
        return makeCall(history, {
          kind: 'stranger',
          url: address({ video_id: 'manualEn001' }),
          about: 'stranger',
          headers,
        });
      },
      signUp: async () => {
        await customers.signUp();
        return null;
      },
    },
    forgetHot: () => {
      epoch += 1;
      lostAt = history.now();
    },
    poll,
    pending,
  };
};

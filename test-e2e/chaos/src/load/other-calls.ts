import { randomUUID } from 'node:crypto';
import { createApiKey, status } from '@tds/contracts';
import { type CallAnswer, makeCall } from './http-call.ts';
import type { Scene } from './scene.ts';
import { by, gatewayUrl } from './transcript-calls.ts';

const VIDEO = 'manualEn001';
const DAY_MS = 86_400_000;

const TELL = 'SELECT messaging.emit($1, $2)';

/** Has the status service tell that a UTC day was an outage, as if it had evaluated it. */
const tellOutage = ({ evidence }: Scene, day: string) =>
  evidence.rows('status', TELL, [
    status.outageDayEvaluated.subject,
    JSON.stringify({ day, observedSlots: 144, outageSlots: 24 }),
  ]);

/** Calls that never cost anything: facts, mistakes, and unknown keys. */
export const createOtherCalls = (scene: Scene) => {
  const { history, customers, random, gateway } = scene;
  const known = async (kind: 'facts' | 'wrong', url: string, about: string): Promise<CallAnswer | null> => {
    const customer = customers.take(random, 'cached');
    return customer ? makeCall(history, { kind, url, about, ...by(customer) }) : null;
  };
  const wrongly = (query: Record<string, string>, about: string) =>
    known('wrong', gatewayUrl(scene, query), about);
  const withoutKey = (query: Record<string, string>, about: string) =>
    makeCall(history, { kind: 'wrong', url: gatewayUrl(scene, query), about });
  const mistakes: readonly (() => Promise<CallAnswer | null>)[] = [
    () => withoutKey({ video_id: VIDEO, api_key: customers.all.at(-1)?.key ?? '' }, 'key in the query'),
    () => withoutKey({ video_id: VIDEO }, 'no key'),
    () => wrongly({ video_id: 'short' }, 'bad video id'),
    () => wrongly({ video_id: VIDEO, request_id: randomUUID() }, 'both modes'),
    () => wrongly({ request_id: randomUUID() }, 'unknown request'),
    () => known('wrong', `${gateway}/v1/nothing-here`, 'unknown path'),
  ];
  let outages = 0;
  let strangers = 0;
  return {
    /** Each of another day that is over, for a day that is said again is granted nothing again. */
    outage: async () => {
      outages += 1;
      const day = new Date(Date.now() - outages * DAY_MS).toISOString().slice(0, 'yyyy-mm-dd'.length);
      // The database may be what is being hurt, and the next call says another day.
      await tellOutage(scene, day).catch(() => {});
      return null;
    },
    facts: () => known('facts', gatewayUrl(scene, { video_id: VIDEO }, 'video'), VIDEO),
    wrong: () => random.pick(mistakes)(),
    /** Each from a network of its own: the gateway refuses a network that keeps trying unknown keys without asking identity. */
    stranger: () => {
      strangers += 1;
      const network = `10.${(strangers >> 8) % 256}.${strangers % 256}`;
      const headers = { authorization: `Bearer ${createApiKey()}`, 'x-forwarded-for': `${network}.1` };
      const url = gatewayUrl(scene, { video_id: VIDEO });
      return makeCall(history, { kind: 'stranger', url, about: 'an unknown key', headers });
    },
  };
};

import { until } from '#support';
import type { Harness } from '../harness.ts';
import type { CallAnswer } from '../load/http-call.ts';

/** What has to answer again before a fault counts as over. */
export type Need = 'gateway' | 'identity' | 'fetcher' | 'search' | 'everything' | 'platform';

const WITHIN_MS = 30_000;
/** The adapter's circuits stay open for half a minute, and for longer after a probe that failed. */
const PLATFORM_WITHIN_MS = 100_000;
const EVERY_MS = 100;
const OK = 200;
const BAD_GATEWAY = 502;

const gatewayAnswers = async ({ system }: Harness): Promise<boolean> => {
  try {
    return (await fetch(`${system.gateway}/v1/openapi.json`, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false; // not listening yet
  }
};

const answered = (answer: CallAnswer | null, isRight: (answer: CallAnswer) => boolean): boolean =>
  answer !== null && isRight(answer);

/** A refusal of the platform has been reserved, tried and released: all of our own parts were needed for it too. */
const isFromPlatform = ({ record }: CallAnswer): boolean =>
  record.status === OK || (record.status === BAD_GATEWAY && record.code !== 'service_unavailable');

/** One try: an unknown key is refused only by an identity that works, a fresh video is fetched only by everything. */
const tries: Readonly<Record<Need, (harness: Harness) => Promise<boolean>>> = {
  gateway: gatewayAnswers,
  identity: async ({ traffic }) =>
    answered(await traffic.calls.stranger(), ({ record }) => record.code === 'invalid_api_key'),
  fetcher: async ({ traffic }) => answered(await traffic.calls.facts(), ({ record }) => record.status === OK),
  search: async ({ traffic }) => answered(await traffic.calls.search(), isFromPlatform),
  everything: async ({ traffic }) => answered(await traffic.calls.cold(), isFromPlatform),
  platform: async ({ traffic }) => answered(await traffic.calls.cold(), ({ record }) => record.status === OK),
};

/** A try that hangs does not keep the next one from being made. */
const MAX_CONCURRENT = 6;

/** Milliseconds from `since` (of the run) to the first success; null where none comes. */
export const untilAnswers = async (harness: Harness, need: Need, since: number): Promise<number | null> => {
  let firstAt: number | undefined;
  let underWay = 0;
  const attempt = async () => {
    underWay += 1;
    if (await tries[need](harness)) firstAt ??= harness.history.now();
    underWay -= 1;
  };
  const act = () => void (underWay < MAX_CONCURRENT && attempt());
  const withinMs = need === 'platform' ? PLATFORM_WITHIN_MS : WITHIN_MS;
  await until(() => firstAt !== undefined, { withinMs, everyMs: EVERY_MS, act });
  return firstAt === undefined ? null : firstAt - since;
};

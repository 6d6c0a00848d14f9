import type { AttemptError } from '@tds/contracts';
import { LRUCache } from 'lru-cache';
import { Agent, type Dispatcher } from 'undici';
import { attemptErrorOf } from './attempt-error.ts';
import type { DestinationGuard } from './destination-guard.ts';
import { readAnswer } from './read-answer.ts';

/** Over the look-up, the connection, TLS, headers and body. */
const DEADLINE_MS = 10_000;
/** A connection outlives the look-up that has allowed it by so much at most. */
const CONNECTION_LIFE_MS = 30_000;
const IDLE_MS = 4_000;
const MOST_ACCOUNTS = 1_000;
const LARGEST_HEADERS_BYTES = 16 * 1_024;
const REDIRECTS = 300;
const ERRORS = 400;

export type PostedWebhook = {
  readonly accountId: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string;
};

export type PostResult = {
  /** Of the answer; null where none came. */
  readonly status: number | null;
  /** Null where the receiver has taken it. */
  readonly error: AttemptError | null;
  /** The beginning of what it has answered. */
  readonly answer: string | null;
};

export type Poster = {
  /** Never throws: whatever becomes of it is its result. */
  post(webhook: PostedWebhook, signal: AbortSignal): Promise<PostResult>;
  close(): Promise<void>;
};

const faultOf = (status: number): AttemptError | null => {
  if (status >= ERRORS || status < 200) return 'status';
  return status >= REDIRECTS ? 'redirect' : null;
};

const toResult = async (answer: Dispatcher.ResponseData, signal: AbortSignal): Promise<PostResult> => {
  const status = answer.statusCode;
  const { shown, fault } = await readAnswer(answer.body, signal);
  return { status, error: faultOf(status) ?? fault, answer: shown };
};

/** Strangers' servers: each account has connections of its own, and follows no redirect. */
export const createPoster = (guard: DestinationGuard): Poster => {
  const newAgent = () =>
    new Agent({
      connect: { lookup: guard.lookup, timeout: DEADLINE_MS },
      clientTtl: CONNECTION_LIFE_MS,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: CONNECTION_LIFE_MS,
      maxHeaderSize: LARGEST_HEADERS_BYTES,
      pipelining: 1,
      allowH2: false,
    });
  const agents = new LRUCache<string, Agent>({
    max: MOST_ACCOUNTS,
    // What is under way is finished first; its failure is that of its own attempt.
    dispose: (agent) => void agent.close().catch(() => undefined),
  });
  const agentOf = (accountId: string): Agent => {
    const agent = agents.get(accountId) ?? newAgent();
    agents.set(accountId, agent);
    return agent;
  };
  return {
    async post({ accountId, url, headers, body }, stopping) {
      const signal = AbortSignal.any([stopping, AbortSignal.timeout(DEADLINE_MS)]);
      try {
        const { origin, pathname, search } = guard.read(url);
        const path = pathname + search;
        const options = { origin, path, method: 'POST', headers, body, signal } as const;
        return await toResult(await agentOf(accountId).request(options), signal);
      } catch (error) {
        return { status: null, error: attemptErrorOf(error), answer: null };
      }
    },
    close: async () => agents.clear(),
  };
};

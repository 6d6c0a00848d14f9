import { Announced, AnswerTooLarge, boundedAgent, type Meter, receive } from '@tds/bounded-http';
import { type AttemptError, LONGEST_SHOWN_ANSWER } from '@tds/contracts';
import { LRUCache } from 'lru-cache';
import { DestinationError, type DestinationFault } from '../domain/destination.ts';
import type { DestinationGuard } from './destination-guard.ts';

const ofDestination: Readonly<Record<DestinationFault, AttemptError>> = {
  invalid: 'private_address',
  private: 'private_address',
  dns_failed: 'dns_failed',
  dns_empty: 'dns_empty',
};

/** How Node names what is wrong with the certificate or the handshake of somebody else. */
const tlsCode = /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO)/;

/** Why no answer came. */
const attemptErrorOf = (error: unknown): AttemptError => {
  if (error instanceof DestinationError) return ofDestination[error.fault];
  const { name = '', code = '' } = error as { name?: string; code?: string };
  if (name === 'TimeoutError' || (code.startsWith('UND_ERR_') && code.endsWith('_TIMEOUT'))) return 'timeout';
  if (name === 'AbortError') return 'interrupted';
  return tlsCode.test(code) ? 'tls' : 'connection';
};

/** Databases take no NUL, and pages no other control characters. */
const CONTROLS = /[^\P{Cc}\n\t]/gu;

/** The beginning of an answer. Bytes of no known encoding, such as compressed ones, become the sign for what cannot be shown. */
const shownText = (chunks: readonly Buffer[]): string =>
  Buffer.concat(chunks)
    .subarray(0, LONGEST_SHOWN_ANSWER)
    .toString('utf8')
    .replace(CONTROLS, '\ufffd')
    .slice(0, LONGEST_SHOWN_ANSWER);

/** Over the look-up, the connection, TLS, headers and body. */
const DEADLINE_MS = 10_000;
/** A connection outlives the look-up that has allowed it by so much at most. */
const CONNECTION_LIFE_MS = 30_000;
const IDLE_MS = 4_000;
const MOST_ACCOUNTS = 1_000;
const LARGEST_HEADERS_BYTES = 16 * 1_024;
const LARGEST_BODY_BYTES = 64 * 1_024;
const REDIRECTS = 300;
const ERRORS = 400;

type PostedWebhook = {
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

type Sent = Parameters<typeof receive>[1];

/** Posts, and reads what is answered. Throws why no answer came, or what `signal` says. */
const exchange = async (
  dispatcher: Parameters<typeof receive>[0],
  request: Sent,
  signal: AbortSignal,
): Promise<PostResult> => {
  const meter: Meter = { bytes: 0, status: null };
  const kept: Buffer[] = [];
  const onChunk = (chunk: Buffer) => {
    if (meter.bytes - chunk.length < LONGEST_SHOWN_ANSWER) kept.push(chunk);
  };
  const result = (status: number | null, fault: AttemptError | null): PostResult => ({
    status,
    error: (status === null ? null : faultOf(status)) ?? fault,
    answer: shownText(kept),
  });
  const bounds = { capBytes: LARGEST_BODY_BYTES, announcements: 0 };
  try {
    const { status } = await receive(dispatcher, request, { ...bounds, signal, meter, onChunk });
    return result(status, null);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Announced) return result(error.status, null);
    if (error instanceof AnswerTooLarge) return result(meter.status, 'answer_too_large');
    if (meter.status === null) throw error;
    return result(meter.status, 'answer_incomplete');
  }
};

/** Strangers' servers: each account has connections of its own, and follows no redirect. */
export const createPoster = (guard: DestinationGuard): Poster => {
  const newAgent = () =>
    boundedAgent(LARGEST_HEADERS_BYTES + LARGEST_BODY_BYTES, {
      connect: { lookup: guard.lookup, timeout: DEADLINE_MS },
      clientTtl: CONNECTION_LIFE_MS,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: CONNECTION_LIFE_MS,
      maxHeaderSize: LARGEST_HEADERS_BYTES,
      pipelining: 1,
    });
  const agents = new LRUCache<string, ReturnType<typeof newAgent>>({
    max: MOST_ACCOUNTS,
    // What is under way is finished first; its failure is that of its own attempt.
    dispose: (agent) => void agent.close().catch(() => undefined),
  });
  const agentOf = (accountId: string) => {
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
        const request = { origin, path, method: 'POST', headers, body } as const;
        return await exchange(agentOf(accountId), request, signal);
      } catch (error) {
        return { status: null, error: attemptErrorOf(error), answer: null };
      }
    },
    close: async () => agents.clear(),
  };
};

import {
  AnswerTooLarge,
  boundedAgent,
  type Headers,
  type Meter,
  receive,
  TooManyAnnouncements,
} from '@tds/bounded-http';
import { type AttemptError, HOUR_MS, MAX_SHOWN_ANSWER_LENGTH, SECOND_MS } from '@tds/contracts';
import { LRUCache } from 'lru-cache';
import { DestinationError, type DestinationFault } from '../domain/destination.ts';
import type { DestinationGuard } from './destination-guard.ts';

const destinationErrors: Readonly<Record<DestinationFault, AttemptError>> = {
  invalid: 'private_address',
  private: 'private_address',
  dns_failed: 'dns_failed',
  dns_empty: 'dns_empty',
};

/** Node's codes for a wrong certificate or handshake. */
const tlsCode = /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO)/;

/** Maps the failure of a request without an answer. */
const toAttemptError = (error: unknown): AttemptError => {
  if (error instanceof DestinationError) return destinationErrors[error.fault];
  const { name = '', code = '' } = error as { name?: string; code?: string };
  if (name === 'TimeoutError' || (code.startsWith('UND_ERR_') && code.endsWith('_TIMEOUT'))) return 'timeout';
  if (name === 'AbortError') return 'interrupted';
  return tlsCode.test(code) ? 'tls' : 'connection';
};

/** Postgres rejects NUL; the others would break pages. */
const CONTROLS = /[^\P{Cc}\n\t]/gu;

/** The beginning of an answer as text. Bytes that are not UTF-8, such as compressed ones, become U+FFFD. */
const toDisplayText = (chunks: readonly Buffer[]): string =>
  Buffer.concat(chunks)
    .subarray(0, MAX_SHOWN_ANSWER_LENGTH)
    .toString('utf8')
    .replace(CONTROLS, '\ufffd')
    .slice(0, MAX_SHOWN_ANSWER_LENGTH);

/** For lookup, connection, TLS, headers and body together. */
const DEADLINE_MS = 10_000;
/** Longest time that a connection is used after the lookup that allowed it. */
const CONNECTION_LIFE_MS = 30_000;
const IDLE_MS = 4_000;
const MAX_ACCOUNTS = 1_000;
const MAX_HEADERS_BYTES = 16 * 1_024;
const MAX_BODY_BYTES = 64 * 1_024;
const REDIRECTS = 300;
const ERRORS = 400;

type PostedWebhook = {
  readonly accountId: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string;
};

type PostResult = {
  /** HTTP status; null without an answer. */
  readonly status: number | null;
  /** Null if the receiver took the webhook. */
  readonly error: AttemptError | null;
  /** The beginning of the answer. */
  readonly answer: string | null;
  /** How long the receiver asks to wait, at most 12 hours; absent if it does not. */
  readonly retryAfterMs?: number;
};

const MAX_RETRY_AFTER_MS = 12 * HOUR_MS;
const MAX_RETRY_AFTER_CHARACTERS = 40;

/** Retry-After as seconds or as a date; 0 if it is neither. */
const retryAfterMsOf = ({ 'retry-after': value }: Headers): number => {
  if (typeof value !== 'string' || value.length > MAX_RETRY_AFTER_CHARACTERS) return 0;
  const waitMs = /^\d+$/.test(value) ? Number(value) * SECOND_MS : Date.parse(value) - Date.now();
  return Math.min(MAX_RETRY_AFTER_MS, Math.max(0, waitMs || 0));
};

const faultOf = (status: number): AttemptError | null => {
  if (status >= ERRORS || status < 200) return 'status';
  return status >= REDIRECTS ? 'redirect' : null;
};

/** Posts and reads the answer. Throws if there is none, and the reason of `signal`. */
const exchange = async (
  dispatcher: Parameters<typeof receive>[0],
  request: Parameters<typeof receive>[1],
  signal: AbortSignal,
) => {
  const meter: Meter = { bytes: 0, status: null };
  const chunks: Buffer[] = [];
  const onChunk = (chunk: Buffer) => {
    if (meter.bytes - chunk.length < MAX_SHOWN_ANSWER_LENGTH) chunks.push(chunk);
  };
  const result = (status: number | null, fault: AttemptError | null, retryAfterMs = 0): PostResult => ({
    status,
    error: (status === null ? null : faultOf(status)) ?? fault,
    answer: toDisplayText(chunks),
    ...(retryAfterMs > 0 && { retryAfterMs }),
  });
  const reading = { capBytes: MAX_BODY_BYTES, signal, meter, onChunk };
  try {
    const { status, headers } = await receive(dispatcher, request, reading);
    return result(status, null, retryAfterMsOf(headers));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof TooManyAnnouncements) return result(error.status, null);
    // A receiver with a status of success has the webhook, whatever it says beside.
    if (error instanceof AnswerTooLarge && meter.status !== null) return result(meter.status, null);
    if (error instanceof AnswerTooLarge) return result(null, 'answer_too_large');
    if (meter.status === null) throw error;
    return result(meter.status, 'answer_incomplete');
  }
};

/** Posts to servers of customers. Each account has its own connections; redirects are not followed. */
export const createPoster = (guard: DestinationGuard) => {
  const agents = new LRUCache<string, ReturnType<typeof boundedAgent>>({
    max: MAX_ACCOUNTS,
    memoMethod: () =>
      boundedAgent(MAX_HEADERS_BYTES + MAX_BODY_BYTES, {
        connect: { lookup: guard.lookup, timeout: DEADLINE_MS },
        clientTtl: CONNECTION_LIFE_MS,
        keepAliveTimeout: IDLE_MS,
        keepAliveMaxTimeout: CONNECTION_LIFE_MS,
        maxHeaderSize: MAX_HEADERS_BYTES,
        pipelining: 1,
      }),
    // Closing waits for running requests; a failed one fails its own attempt.
    dispose: (agent) => void agent.close().catch(() => undefined),
  });
  return {
    /** Never throws: a failure is a result. */
    async post({ accountId, url, headers, body }: PostedWebhook, stopping: AbortSignal): Promise<PostResult> {
      const signal = AbortSignal.any([stopping, AbortSignal.timeout(DEADLINE_MS)]);
      try {
        const { origin, pathname, search } = guard.read(url);
        const path = pathname + search;
        const request = { origin, path, method: 'POST', headers, body } as const;
        return await exchange(agents.memo(accountId), request, signal);
      } catch (error) {
        return { status: null, error: toAttemptError(error), answer: null };
      }
    },
    close: async () => agents.clear(),
  };
};
export type Poster = ReturnType<typeof createPoster>;

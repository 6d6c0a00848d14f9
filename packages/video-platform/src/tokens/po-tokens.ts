import { createSingleFlight, unlessAborted } from '@tds/base';
import { boundedAgent, receive } from '@tds/bounded-http';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { meanings, RefusedAnswer, refusal } from '../classification/index.ts';
import { defaultLimits } from '../config/limits.ts';
import { createCircuit, type Effect } from '../health/index.ts';
import { inside } from '../reading/index.ts';
import { proxyAddress } from '../transport/index.ts';
import type { Exit, PoTokenProvider } from '../types.ts';

/** How a call of the provider ended; `skipped`: its circuit is open, so it was not called. */
export const tokenOutcomes = ['given', 'failed', 'timeout', 'unreadable', 'wrong_video', 'skipped'] as const;
type TokenOutcome = (typeof tokenOutcomes)[number];

export type PoTokenOptions = {
  /** A server that answers `POST /get_pot` as Brainicism/bgutil-ytdlp-pot-provider does. */
  readonly url: string;
  /** Sends it the URL of the exit's proxy, with its password. */
  readonly usesProxy: boolean;
  readonly exits: readonly Exit[];
  readonly clock?: () => Date;
  readonly deadlineMs?: number;
  /** Of more, the one that was used least lately is thrown away. */
  readonly maxTokens?: number;
  readonly onCall?: (outcome: TokenOutcome) => void;
};

export type PoTokens = PoTokenProvider & {
  isOpen(): boolean;
  /** The provider's version; null if it does not answer. */
  ping(): Promise<string | null>;
  close(): Promise<void>;
};

const SECOND_MS = 1_000;
const DEADLINE_MS = 5 * SECOND_MS;
const MAX_AGE_MS = 6 * 3_600 * SECOND_MS;
const MAX_TOKENS = 10_000;
const CONNECTIONS = 32;
const CAP_BYTES = 64 * 1_024;
/** Headers beside the largest body. */
const MAX_BYTES = 2 * CAP_BYTES;
const OK = 200;

const answerSchema = z.object({
  poToken: z.string().regex(/^[\x21-\x7e]{1,2048}$/),
  contentBinding: z.string(),
  expiresAt: z
    .string()
    .transform((text) => Date.parse(text))
    .pipe(z.number()),
});
type Token = z.output<typeof answerSchema>;

type CallResult = { readonly outcome: TokenOutcome; readonly token: Token | null };

const failure = (outcome: TokenOutcome): CallResult => ({ outcome, token: null });

const parseJson = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString());
  } catch {
    // Perhaps the page of a proxy before a provider that is down.
    return null;
  }
};

const readAnswer = (status: number, body: Buffer, videoId: string): CallResult => {
  const answer = status === OK ? parseJson(body) : null;
  if (answer === null || inside(answer, 'poToken') === '') return failure('failed');
  // The error could quote the answer.
  const { data: token } = answerSchema.safeParse(answer);
  if (token === undefined) return failure('unreadable');
  return token.contentBinding === videoId ? { outcome: 'given', token } : failure('wrong_video');
};

/** A provider of another interface will give none later either. */
const effects: Readonly<Partial<Record<TokenOutcome, Effect>>> = { given: 'success', unreadable: 'neutral' };

/** Requests to the provider, each within the deadline. */
const openProvider = ({ url, deadlineMs = DEADLINE_MS }: PoTokenOptions) => {
  const { origin, pathname } = new URL(url);
  const base = pathname.endsWith('/') ? pathname.slice(0, -1) : pathname;
  const agent = boundedAgent(MAX_BYTES, { connections: CONNECTIONS });
  const request = (method: 'GET' | 'POST', path: string, body: object | null) =>
    receive(
      agent,
      {
        origin,
        path: `${base}${path}`,
        method,
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        body: body === null ? null : JSON.stringify(body),
      },
      { signal: AbortSignal.timeout(deadlineMs), capBytes: CAP_BYTES, meter: { bytes: 0, status: null } },
    );
  return {
    async call(videoId: string, proxy: string | null): Promise<CallResult> {
      const payload = { content_binding: videoId, ...(proxy === null ? {} : { proxy }) };
      try {
        const { status, body } = await request('POST', '/get_pot', payload);
        return readAnswer(status, body, videoId);
      } catch (error) {
        return failure(error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'failed');
      }
    },
    async ping(): Promise<string | null> {
      try {
        const { status, body } = await request('GET', '/ping', null);
        const answer = z.object({ version: z.string().max(40) }).safeParse(JSON.parse(body.toString()));
        return status === OK ? (answer.data?.version ?? 'unknown') : null;
      } catch {
        return null;
      }
    },
    close: () => agent.destroy(),
  };
};

/** Tokens until they expire. */
const createStore = (clock: () => Date, maxTokens: number) => {
  const tokens = new LRUCache<string, Token>({ max: maxTokens });
  return {
    get(key: string): string | null {
      const cached = tokens.get(key);
      return cached !== undefined && cached.expiresAt > clock().getTime() ? cached.poToken : null;
    },
    keep(key: string, token: Token): void {
      const expiresAt = Math.min(token.expiresAt, clock().getTime() + MAX_AGE_MS);
      tokens.set(key, { ...token, expiresAt });
    },
    discard(key: string, token: string): void {
      if (tokens.get(key)?.poToken === token) tokens.delete(key);
    },
  };
};

/** Tokens of a provider: one call for a video and exit at a time, and none while the provider is down. */
export const createPoTokens = (options: PoTokenOptions): PoTokens => {
  const { exits, usesProxy, clock = () => new Date(), onCall = () => undefined } = options;
  const provider = openProvider(options);
  const store = createStore(clock, options.maxTokens ?? MAX_TOKENS);
  const flight = createSingleFlight<string | null>();
  const circuit = createCircuit<CallResult>(({ outcome }) => effects[outcome] ?? 'failure', {
    failuresToOpen: defaultLimits.failuresToOpen,
    waitsMs: defaultLimits.circuitWaitsMs,
    clock,
  });
  const findProxy = (exit: string): string | null => {
    const { proxyUrl } = exits.find(({ name }) => name === exit) ?? {};
    return usesProxy && proxyUrl !== undefined ? proxyAddress(proxyUrl) : null;
  };
  const toKey = ({ exit, videoId }: { exit: string; videoId: string }) => `${exit} ${videoId}`;
  const call = async (key: string, videoId: string, exit: string): Promise<string | null> => {
    const result = await circuit.run(() => provider.call(videoId, findProxy(exit)));
    const { outcome, token } = result ?? failure('skipped');
    onCall(outcome);
    if (outcome === 'unreadable') return null;
    if (token === null) {
      const retryAfterSeconds = Math.ceil(circuit.dueInMs() / SECOND_MS) || null;
      throw new RefusedAnswer(
        refusal('token_failed', meanings.tokenFailed, { reason: outcome, retryAfterSeconds }),
      );
    }
    store.keep(key, token);
    return token.poToken;
  };
  return {
    async tokenFor({ signal, ...subject }) {
      const key = toKey(subject);
      const cached = store.get(key);
      if (cached !== null) return cached;
      return unlessAborted(
        flight(key, () => call(key, subject.videoId, subject.exit)),
        signal,
      );
    },
    discard: (token, subject) => store.discard(toKey(subject), token),
    isOpen: () => circuit.state() !== 'closed',
    ping: provider.ping,
    close: provider.close,
  };
};

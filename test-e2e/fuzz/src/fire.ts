import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Outcome } from './answer.ts';
import type { Cast } from './callers.ts';
import { checkAnswer, checkLetIn } from './check-answer.ts';
import { accountsByKey, fillIn } from './fill-in.ts';
import type { FuzzRequest } from './request.ts';
import { createSender } from './send.ts';
import { isSmuggling } from './twists.ts';

export type Breach = { readonly index: number; readonly what: string; readonly request: FuzzRequest };

/** What the run has seen. */
export type Seen = {
  sent: number;
  readonly statuses: Map<string, number>;
  readonly codes: Map<string, number>;
  readonly routes: Map<string, number>;
  readonly breaches: Breach[];
  /** Credits that answers reported, by account. */
  readonly charged: Map<string, number>;
  readonly milliseconds: number[];
};

export type Fire = {
  readonly gateway: string;
  readonly cast: Cast;
  readonly requests: Iterable<readonly [number, FuzzRequest]>;
  /** Requests under way at once. */
  readonly atOnce: number;
  readonly signal?: AbortSignal;
  /** After every request. */
  readonly onProgress?: (sent: number) => void;
};

const count = (counts: Map<string, number>, name: string, by = 1): void =>
  void counts.set(name, (counts.get(name) ?? 0) + by);

/**
 * An HTTP/1.0 connection ends with its answer. Where the caller is still sending by then, the kernel resets it and the
 * answer may be lost on the way, which no server can help but by reading on.
 */
const mayBeReset = ({ twist, body }: FuzzRequest): boolean =>
  twist === 'HTTP/1.0' && typeof body === 'object' && body !== null;

const check = ({ answers, problem }: Outcome, request: FuzzRequest, made: FuzzRequest): string[] => {
  if (problem === 'connection cut' && mayBeReset(request)) return [];
  if (problem !== 'none') return [problem];
  const [first] = answers;
  if (!first) return ['no answer'];
  const smuggled =
    answers.length > 1 && isSmuggling(request.twist ?? '') ? ['a smuggled request was answered'] : [];
  return [
    ...answers.flatMap((answer) => [...checkAnswer(answer, request), ...checkLetIn(answer, made)]),
    ...smuggled,
  ];
};

const codeOf = (body: string): string => /"code":"(\w+)"/.exec(body)?.[1] ?? 'none';

const note = (seen: Seen, filled: FuzzRequest, { answers }: Outcome, accounts: ReadonlyMap<string, string>) => {
  seen.sent += 1;
  count(seen.routes, filled.route);
  for (const { status, body, headers } of answers) {
    count(seen.statuses, String(status));
    if (status >= 400) count(seen.codes, codeOf(body));
    const charged = Number(headers['x-credits-charged'] ?? 0);
    if (charged === 0) continue;
    const key =
      filled.headers
        .find(([name]) => name === 'Authorization')?.[1]
        .split(' ')
        .at(-1) ?? '';
    count(seen.charged, accounts.get(key) ?? 'unknown', charged);
  }
};

const UNAVAILABLE = 503;
const MAX_ATTEMPTS = 4;

/** Seconds after which a part that was late wants to be asked again; null where none was, or says nothing of it. */
const comesBackIn = ({ answers }: Outcome): number | null => {
  const after = answers.find(({ status }) => status === UNAVAILABLE)?.headers['retry-after'];
  return after === undefined ? null : Number(after);
};

/** A late answer on a busy machine says when to retry. It has failed if the retry says so again. */
const sendPatiently = async (
  send: ReturnType<typeof createSender>,
  request: FuzzRequest,
  triesLeft = MAX_ATTEMPTS,
): Promise<Outcome> => {
  const outcome = await send(request);
  const seconds = comesBackIn(outcome);
  if (seconds === null || triesLeft === 1) return outcome;
  await delay(seconds * 1_000);
  return sendPatiently(send, request, triesLeft - 1);
};

/** Sends the requests to a gateway, `atOnce` at a time, and checks every answer. */
export const fire = async ({ gateway, cast, requests, atOnce, signal, onProgress }: Fire): Promise<Seen> => {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const send = createSender(gateway, agent);
  const accounts = accountsByKey(cast);
  const { host } = new URL(gateway);
  const seen: Seen = {
    sent: 0,
    statuses: new Map(),
    codes: new Map(),
    routes: new Map(),
    breaches: [],
    charged: new Map(),
    milliseconds: [],
  };
  const queue = requests[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (let next = queue.next(); !next.done && !signal?.aborted; next = queue.next()) {
      const [index, request] = next.value;
      const filled = fillIn(request, index, cast, host);
      const from = performance.now();
      const outcome = await sendPatiently(send, filled);
      seen.milliseconds.push(performance.now() - from);
      note(seen, filled, outcome, accounts);
      for (const what of check(outcome, filled, request)) seen.breaches.push({ index, what, request });
      onProgress?.(seen.sent);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  agent.destroy();
  return seen;
};

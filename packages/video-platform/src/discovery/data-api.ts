import {
  type Attempt,
  type Meaning,
  meanings,
  type Refusal,
  refusal,
  toRefusal,
} from '../classification/index.ts';
import { defaultLimits, type Limits } from '../config/limits.ts';
import { type PlatformError, platformError, withoutAsking } from '../errors/platform-error.ts';
import { emptyStats, type MonitoredCircuit, monitored, type Turn } from '../health/index.ts';
import { inside, tryParseAnswer } from '../reading/index.ts';
import { cancellationError, toError, withRetryAfter } from '../serving/index.ts';
import { type HttpAnswer, OpenExit, sendRequest } from '../transport/index.ts';
import type { Call } from '../types.ts';
import { readListItems, readVideos } from './data-api-items.ts';
import type { ListedVideo, Page } from './types.ts';

const quotaReasons: readonly unknown[] = ['quotaExceeded', 'dailyLimitExceeded'];
const rateLimitReasons: readonly unknown[] = ['rateLimitExceeded', 'userRateLimitExceeded'];
const notFoundReasons: readonly unknown[] = [
  'playlistNotFound',
  'playlistItemsNotAccessible',
  'watchHistoryNotAccessible',
  'watchLaterNotAccessible',
  'channelNotFound',
  'videoNotFound',
  'notFound',
];

const DAY_S = 86_400;
const pacificClock = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/Los_Angeles',
  hourCycle: 'h23',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** The quota refills at midnight Pacific time. */
const secondsToPacificMidnight = (now: Date): number => {
  const [hours = 0, minutes = 0, seconds = 0] = pacificClock.format(now).split(':').map(Number);
  return DAY_S - ((hours * 60 + minutes) * 60 + seconds);
};

const NOT_FOUND = 404;
const FORBIDDEN: readonly number[] = [401, 403];
const SERVER_ERROR = 500;

/** A refused key or a failing interface is the route's fault; an unreadable answer may concern this source only. */
const toMeaning = (status: number): Meaning =>
  status >= SERVER_ERROR || FORBIDDEN.includes(status) ? meanings.unreachable : meanings.broken;

const dataApiRefusal = ({ status, body, retryAfterSeconds }: HttpAnswer, now: Date): Refusal => {
  const error = inside(tryParseAnswer(body), 'error');
  const reason = inside(error, 'errors', 0, 'reason');
  const refuse = (meaning: Meaning, waitSeconds = retryAfterSeconds): Refusal =>
    refusal('data_api', meaning, {
      reason: `${status} ${String(reason ?? '')}`,
      retryAfterSeconds: waitSeconds,
    });
  if (quotaReasons.includes(reason)) return refuse(meanings.quotaSpent, secondsToPacificMidnight(now));
  if (rateLimitReasons.includes(reason)) return refuse(meanings.slowDown);
  const isGone =
    notFoundReasons.includes(reason) || (status === NOT_FOUND && inside(error, 'status') === 'NOT_FOUND');
  return isGone ? refuse(meanings.sourceGone, null) : refuse(toMeaning(status), null);
};

type DataApiOptions = {
  /** Scheme and host, such as `https://www.googleapis.com`. */
  readonly origin: string;
  readonly key: string;
  /** Counts the unit of a request before it is sent. If it throws, the call ends with its error and nothing is sent. */
  readonly takeUnit?: (callerId: string | null) => Promise<void>;
  readonly limits?: Partial<Limits>;
  readonly clock?: () => Date;
};

/** The most videos of one page or one look-up. */
export const DATA_API_PAGE = 50;
const OK = 200;

type ApiClient = Required<DataApiOptions> & {
  readonly limits: Limits;
  readonly exit: OpenExit;
  readonly circuit: MonitoredCircuit;
};

type Question<Value> = {
  readonly resource: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** The source asked about, so that one odd source does not close the interface to the others. */
  readonly subject: string;
  readonly read: (body: string) => Value;
};

const openInterface = ({
  origin,
  key,
  takeUnit = async () => undefined,
  limits: overrides,
  clock = () => new Date(),
}: DataApiOptions): ApiClient => {
  const limits: Limits = { ...defaultLimits, ...overrides };
  const exit = new OpenExit({ name: 'data_api' }, limits);
  const { monitor: circuit } = monitored(limits, clock, emptyStats(clock));
  return { origin: new URL(origin).origin, key, takeUnit, limits, clock, exit, circuit };
};

/** Sends one request. Never throws: a failure is a refusal, or `cancelled` if the caller gave up. */
const request = async <Value>(
  { origin, key, limits, clock, exit }: ApiClient,
  { resource, parameters, read }: Question<Value>,
  turn: Turn,
): Promise<Attempt<Value>> => {
  const deadline = AbortSignal.timeout(turn.isProbe ? limits.probeMs : limits.attemptMs);
  const signal = AbortSignal.any([deadline, turn.signal]);
  const path = `/youtube/v3/${resource}?${new URLSearchParams({ ...parameters, key })}`;
  const headers = { accept: 'application/json' };
  try {
    const answer = await sendRequest(
      exit.sessionFor(''),
      { origin, limits, signal },
      { method: 'GET', path, headers, capBytes: limits.pageBytes },
      { bytes: 0, status: null },
    );
    if (answer.status !== OK) return { kind: 'refused', refusal: dataApiRefusal(answer, clock()) };
    return { kind: 'ok', value: read(answer.body) };
  } catch (thrown) {
    if (turn.signal.aborted) return { kind: 'cancelled' };
    return { kind: 'refused', refusal: toRefusal(thrown, deadline.aborted) };
  }
};

/** The failure that opened the circuit. Nothing is sent and no unit taken while it is open. */
const openCircuitError = ({ circuit }: ApiClient): PlatformError => {
  const last = circuit.lastFailure();
  const error = last === null ? platformError('upstream_error') : toError(last);
  return withRetryAfter([circuit], withoutAsking(error));
};

const ask = async <Value>(api: ApiClient, question: Question<Value>, call: Call): Promise<Value> => {
  const { callerId = null, signal = new AbortController().signal } = call;
  const target = { videoId: question.subject, callerId, signal };
  const failure: { error?: unknown } = {};
  const attempt = await api.circuit.run(target, async (turn): Promise<Attempt<Value>> => {
    try {
      await api.takeUnit(turn.callerId);
    } catch (error) {
      failure.error = error;
      return { kind: 'cancelled' };
    }
    return request(api, question, turn);
  });
  if ('error' in failure) throw failure.error;
  if (attempt === null) throw openCircuitError(api);
  if (attempt.kind === 'ok') return attempt.value;
  if (attempt.kind === 'refused') throw toError(attempt.refusal);
  throw cancellationError(call) ?? platformError('upstream_error');
};

const PART = 'snippet,contentDetails';

/** The platform's official interface, behind a circuit of its own. Each call costs one unit of a daily quota. */
export const createDataApi = (options: DataApiOptions) => {
  const api = openInterface(options);
  const maxResults = String(DATA_API_PAGE);
  return {
    listPage: (playlistId: string, token: string | null, call: Call): Promise<Page<ListedVideo>> => {
      const page = token === null ? {} : { pageToken: token };
      const parameters = { part: PART, playlistId, maxResults, ...page };
      const question = { resource: 'playlistItems', parameters, subject: playlistId, read: readListItems };
      return ask(api, question, call);
    },
    /** Details of at most 50 videos, without private, deleted and unknown ones. */
    lookUpVideos: async (ids: readonly string[], call: Call): Promise<readonly ListedVideo[]> => {
      const [subject] = ids;
      if (subject === undefined || ids.length > DATA_API_PAGE) {
        throw platformError('upstream_error', { message: `Ask for 1 to ${DATA_API_PAGE} videos at a time.` });
      }
      const parameters = { part: PART, id: ids.join(','), maxResults };
      return ask(api, { resource: 'videos', parameters, subject, read: readVideos }, call);
    },
    close: (): Promise<void> => api.exit.close(),
  };
};
export type DataApi = ReturnType<typeof createDataApi>;

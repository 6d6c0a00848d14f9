import { type Attempt, type ReceiverForm, SECOND_MS } from '@tds/contracts';

type ChatForm = Exclude<ReceiverForm, 'signed'>;
type PostedMessage = Pick<Attempt, 'status' | 'error' | 'answer'> & { readonly retryAfterMs?: number };

/** What a chat service means by its answer. */
type ChatAnswer = {
  readonly error: Attempt['error'];
  /** Takes no message for so long: the message counts as not sent. */
  readonly restMs?: number;
};

const [OK, FORBIDDEN, NOT_FOUND, GONE, TOO_MANY] = [200, 403, 404, 410, 429] as const;
/** If a limit does not say for how long, and at least. */
const REST_MS = 30_000;
const MIN_REST_MS = SECOND_MS;
const MAX_REST_MS = 3_600_000;

const MAX_JSON = 1_024;
const readJson = (answer: string): Readonly<Record<string, unknown>> => {
  try {
    const read: unknown = answer.length > MAX_JSON ? null : JSON.parse(answer);
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {};
  } catch {
    return {};
  }
};

/** Codes of Slack for a hook, a channel or a workspace that is no more. */
const GONE_FROM_SLACK =
  /^(?:no_service|no_active_hooks|no_team|team_disabled|invalid_token|channel_not_found|channel_is_archived)\b/;
const UNKNOWN_WEBHOOK = 10_015;
/** In an answer of success; the status of Teams may follow. */
const TEAMS_ERROR = /delivery failed|returned HTTP error (\d{3})/i;

const isGone: Readonly<Record<ChatForm, (status: number, answer: string) => boolean>> = {
  slack: (status, answer) =>
    status === GONE || ([FORBIDDEN, NOT_FOUND].includes(status as 403) && GONE_FROM_SLACK.test(answer)),
  discord: (status, answer) => status === NOT_FOUND && readJson(answer).code === UNKNOWN_WEBHOOK,
  teams: (status) => status === NOT_FOUND || status === GONE,
};

/** Services of others that take the form of Slack answer `ok` or nothing. */
const isRefused: Readonly<Record<ChatForm, (status: number, answer: string) => boolean>> = {
  slack: (status, answer) => status === OK && !['', 'ok'].includes(answer.trim()),
  discord: () => false,
  teams: (_status, answer) => TEAMS_ERROR.test(answer),
};

const statusIn = (form: ChatForm, answer: string): number | null => {
  const [, status] = (form === 'teams' && /returned HTTP error (\d{3})/i.exec(answer)) || [];
  return status === undefined ? null : Number(status);
};

/** Discord says its wait in the body, in seconds with a fraction; the header is in whole ones, if there is one. */
const restOf = (form: ChatForm, answer: string, retryAfterMs: number): number => {
  const { retry_after: seconds } = form === 'discord' ? readJson(answer) : {};
  const saidMs = typeof seconds === 'number' ? Math.ceil(seconds * SECOND_MS) : 0;
  const longestMs = Math.max(saidMs, retryAfterMs) || REST_MS;
  return Math.min(MAX_REST_MS, Math.max(MIN_REST_MS, longestMs));
};

/** Reads the answer of a chat service, which has its own words for a limit, for an end and for an error. */
export const readChatAnswer = (
  form: ChatForm,
  { status, error, answer: text, retryAfterMs = 0 }: PostedMessage,
): ChatAnswer => {
  const answer = text ?? '';
  if (status === null) return { error };
  if ((statusIn(form, answer) ?? status) === TOO_MANY)
    return { error: 'status', restMs: restOf(form, answer, retryAfterMs) };
  if (isGone[form](status, answer)) return { error: 'gone' };
  if (error === null && isRefused[form](status, answer)) return { error: 'refused' };
  return { error };
};

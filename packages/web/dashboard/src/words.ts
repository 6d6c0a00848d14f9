import type {
  Account,
  Answer,
  ErrorBody,
  JobData,
  JobProgress,
  JobSummary,
  LoggedRequest,
  Monitor,
  Purchase,
} from '@transcript-delivery/sdk';

type JobStatus = JobData['status'];
type Tone = 'good' | 'busy' | 'warn' | 'bad' | 'quiet';

/** Each state that a page shows: its word and its colour. */
export const states: Readonly<Record<string, readonly [string, Tone]>> = {
  active: ['Active', 'good'],
  revoking: ['Ends soon', 'warn'],
  revoked: ['Revoked', 'quiet'],
  creating: ['Starting', 'busy'],
  enumerating: ['Listing videos', 'busy'],
  pending: ['Waiting', 'busy'],
  running: ['Running', 'busy'],
  processing: ['Fetching', 'busy'],
  paused: ['Paused', 'warn'],
  completed: ['Completed', 'good'],
  failed: ['Failed', 'bad'],
  cancelled: ['Cancelled', 'quiet'],
  cached: ['Cached', 'good'],
  fetched: ['Fetched', 'good'],
  error: ['Failed', 'bad'],
  succeeded: ['Succeeded', 'good'],
  accepted: ['Accepted', 'quiet'],
  refused: ['Refused', 'quiet'],
  delivered: ['Delivered', 'good'],
  enabled: ['Enabled', 'good'],
  disabled: ['Disabled', 'bad'],
  open: ['Not paid yet', 'busy'],
  expired: ['Not paid', 'quiet'],
  waiting: ['For you to accept', 'warn'],
  paid: ['Paid', 'good'],
  refunded: ['Refunded', 'quiet'],
  disputed: ['Disputed', 'bad'],
  frozen: ['Frozen', 'bad'],
  closed: ['Closed', 'quiet'],
};

/** Purchases share words with other states, so that one of them reads differently there. */
export const purchaseWord = (status: Purchase['status']): string => (status === 'processing' ? 'open' : status);

const ended: readonly JobStatus[] = ['completed', 'failed', 'cancelled'];
export const hasEnded = ({ status }: Pick<JobProgress, 'status'>): boolean => ended.includes(status);

/** Nothing of it changes any more: no row of it is under way either. */
export const isOver = (job: Pick<JobSummary, 'status' | 'counts'>): boolean =>
  hasEnded(job) && job.counts.pending + job.counts.processing === 0;

export const doneOf = ({ counts }: Pick<JobSummary, 'counts'>): number =>
  counts.cached + counts.fetched + counts.error + counts.cancelled;

/** What a customer calls a job: its name, else its source. */
export const jobName = ({ name, source, counts }: Pick<JobSummary, 'name' | 'source' | 'counts'>): string =>
  name ?? source.input ?? videos(counts.total);

export const number = (value: number): string => value.toLocaleString('en-US');
export const counted = (value: number, one: string, more: string): string =>
  `${number(value)} ${value === 1 ? one : more}`;
export const videos = (value: number): string => counted(value, 'video', 'videos');
export const credits = (value: number): string => counted(value, 'credit', 'credits');

type Funds = {
  readonly account: Pick<Account['account'], 'status'>;
  readonly credits: Pick<Account['credits'], 'available'>;
};

/** Why work that may cost so many credits cannot start; null if it can. */
export const findHindrance = ({ account, credits: { available } }: Funds, most: number): string | null => {
  if (account.status === 'frozen') return 'The account is frozen: nothing new is fetched.';
  if (most <= available) return null;
  return `It may cost ${credits(most)}, and you have ${available === 0 ? 'none' : credits(available)}.`;
};

type PauseReason = NonNullable<JobData['pause_reason']>;

/** Why a job pauses, and what ends the pause. */
export const jobPauses: Readonly<Record<PauseReason, string>> = {
  insufficient_credits: 'The credits are used up. Buy a block, and the job goes on by itself.',
  daily_limit: 'A daily limit, or the cap of its key or person, is reached. It goes on after 00:00 UTC.',
  budget_exhausted: 'New transcripts pause for all customers. The job goes on by itself.',
  platform_unavailable: 'The video platform does not answer. The job goes on by itself.',
  waiting_for_broadcast:
    'It waits for broadcasts to end, or for captions of new videos. The job goes on by itself.',
  key_revoked: 'Its key is revoked, or its app disconnected. Choose Retry to go on without it.',
  account_frozen: 'The account is frozen. Write to support.',
};

/** Why a monitor pauses, and what ends the pause. */
export const monitorPauses: Readonly<Record<NonNullable<Monitor['pause_reason']>, string>> = {
  key_revoked: 'Its key is revoked, or its app disconnected. Choose Resume to go on without it.',
  tier_limit: 'Your tier allows fewer monitors. Cancel another one, or buy credits.',
  webhook_missing: 'Its webhook is gone or disabled. Set the webhook again.',
  feed_unavailable: 'Its source does not answer. We try it once a day.',
  insufficient_credits: 'The credits do not cover its next job. Buy a block, and it goes on by itself.',
};

const ACCEPTED = 202;
type RequestResult = Pick<LoggedRequest, 'code' | 'status' | 'key_id'>;

/** What became of a request: if it began a job that is known, the state of the job. What the dashboard itself was refused is no failure. */
export const requestState = (
  { code, status, key_id }: RequestResult,
  job?: Pick<JobSummary, 'status'>,
): string => {
  if (code !== null) return key_id === null ? 'refused' : 'failed';
  return status === ACCEPTED ? (job?.status ?? 'accepted') : 'succeeded';
};

/** The name of an operation in words: `getTranscript` is Get transcript. */
export const routeWords = (route: string): string => {
  if (route === 'sendMcpMessage') return 'A tool of an assistant';
  const words = route.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
};

type Scope = Answer<'listConnections'>['connections'][number]['scopes'][number];

/** What a connected app may do: in a table, in the question of the holder, and what it costs. */
export const scopeWords: Readonly<Record<Scope, { short: string; long: string; costs: string }>> = {
  read: {
    short: 'read',
    long: 'Read and search what you have received, and read cached transcripts, facts of videos, lists of channels, your address and balance',
    costs: 'Costs nothing; it belongs to every connection.',
  },
  fetch: {
    short: 'fetch',
    long: 'Fetch new transcripts and search for videos',
    costs: 'One credit for each transcript and each page of results.',
  },
  jobs: {
    short: 'jobs',
    long: 'See your jobs, and start, retry, cancel and delete jobs of up to 500 transcripts',
    costs: 'One credit for each transcript that is not cached.',
  },
  monitors: {
    short: 'monitors',
    long: 'See your monitors, and make and cancel monitors of channels and playlists',
    costs: 'A monitor that fetches new videos costs one credit for each transcript.',
  },
};

/** Where an app returns to, in words. */
export const appPlace = ({ host }: { readonly host: string }): string => {
  if (host === 'localhost') return 'this computer';
  return host.endsWith(':') ? `a program on this device (scheme ${host.slice(0, -1)})` : host;
};

export const attemptErrors: Readonly<Record<string, string>> = {
  status: 'The receiver answered with an error.',
  redirect: 'The receiver redirects, which is never followed.',
  timeout: 'No whole answer came within ten seconds.',
  connection: 'No connection was possible.',
  tls: 'The certificate is not valid.',
  dns_failed: 'The host name could not be looked up.',
  dns_empty: 'The host name has no address.',
  private_address: 'The address is private.',
  answer_too_large: 'The answer is larger than 64 KiB.',
  answer_incomplete: 'The answer broke off.',
  interrupted: 'We were interrupted; the attempt is repeated.',
  key_revoked: 'Not sent: the key that gave this address is revoked.',
  refused: 'The chat service answered an error, with a status of success.',
  gone: 'The chat service says that this address has ended.',
};

export type Remedies = Readonly<
  Record<
    string,
    {
      /** In place of the message of the answer. */
      readonly what?: string;
      readonly remedy?: string;
      /** What answers with this code usually say. */
      readonly message?: string;
      readonly place: string | null;
      readonly waitingHelps: boolean;
    }
  >
>;

/** What went wrong and what to do, without the answer that said it; undefined if the words of pages say all. */
export const loggedWords = (code: string, remedies: Remedies): string | undefined => {
  const { message, remedy } = remedies[code] ?? {};
  return [message, remedy].filter(Boolean).join(' ') || undefined;
};

const SECOND_MS = 1_000;
const MINUTE = 60;
const HOUR = 3_600;
const span = (seconds: number): string => {
  if (seconds < MINUTE) return counted(Math.max(1, Math.ceil(seconds)), 'second', 'seconds');
  if (seconds < 2 * HOUR) return counted(Math.ceil(seconds / MINUTE), 'minute', 'minutes');
  return counted(Math.ceil(seconds / HOUR), 'hour', 'hours');
};

/** How long something took, rounded up. */
export const duration = (from: string, to: string): string =>
  span((Date.parse(to) - Date.parse(from)) / SECOND_MS);

/** The next step of an error in one or two sentences, from the table of codes. */
export const nextStep = (
  { code, shortfall, retry_after }: ErrorBody & { readonly shortfall?: number },
  remedies: Remedies,
): string => {
  const known = remedies[code];
  const sentences = [
    shortfall === undefined ? known?.remedy : `You need ${credits(shortfall)} more.`,
    retry_after !== undefined && known?.waitingHelps ? `Try again in ${span(retry_after)}.` : undefined,
  ];
  return sentences.filter(Boolean).join(' ');
};

/** The view in which a remedy is carried out. */
const places: Readonly<Record<string, readonly [string, string]>> = {
  billing: ['/billing', 'Billing'],
  keys: ['/keys', 'Keys'],
  people: ['/settings', 'People'],
  webhooks: ['/webhooks', 'Webhooks'],
  jobs: ['/jobs', 'Jobs'],
};
export const placeOf = (code: string, remedies: Remedies): readonly [string, string] | undefined =>
  places[remedies[code]?.place ?? ''];

const KIB = 1_024;
export const bytes = (value: number): string => {
  if (value < KIB ** 2) return `${number(Math.ceil(value / KIB))} KiB`;
  return value < KIB ** 3 ? `${(value / KIB ** 2).toFixed(1)} MiB` : `${number(value / KIB ** 3)} GiB`;
};

/** Addresses of other companies come through the API; only https and local http are followed. */
export const isWebAddress = (address: string): boolean => /^https?:\/\//.test(address);

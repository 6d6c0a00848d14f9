import { Announced, AnswerTooLarge } from '@tds/bounded-http';
import { UnknownEncoding } from '../transport/exchange.ts';
import type { Endpoint } from '../types.ts';
import { broken, type Refusal, RefusedAnswer, refusal, type Verdict, verdicts } from './refusal.ts';

type Row<Facts> = {
  readonly name: string;
  readonly when: (facts: Facts) => boolean;
  readonly verdict: Verdict;
};

/** An HTTP answer before anything in it is trusted. */
export type HttpFacts = {
  readonly endpoint: Endpoint;
  readonly status: number;
  readonly location: URL | null;
  readonly isEmpty: boolean;
  readonly isHtml: boolean;
  /** The text of an HTML page without a player answer; else empty. */
  readonly page: string;
  /** The platform's own name of an error, such as `NOT_FOUND`; empty if the answer is none of its JSON errors. */
  readonly errorStatus: string;
  /** The request asked for a translation. */
  readonly translated: boolean;
};

const OK = 200;
const TOO_MANY_REQUESTS = 429;
const isRedirect = (facts: HttpFacts) => facts.status >= 300 && facts.status < 400;
const missing: readonly number[] = [404, 410];

/** How browse refuses a well-formed id that no channel or playlist has. */
const unknownId: readonly string[] = ['NOT_FOUND', 'INVALID_ARGUMENT'];

const CONSENT_HOST = /^consent\./;
const SORRY_PATH = /^\/sorry(?:\/|$)/;
const CONSENT_FORM = /action="https:\/\/consent\.[a-z.]+\/s"/;
const CAPTCHA = /class="g-recaptcha"|google\.com\/recaptcha\//;
const SORRY = /<title>\s*Sorry|automated queries|unusual traffic/i;

/** What the shape of an answer says. The first row that applies decides; none: read the body. */
export const httpRows: readonly Row<HttpFacts>[] = [
  {
    name: 'consent_redirect',
    when: (facts) => isRedirect(facts) && CONSENT_HOST.test(facts.location?.hostname ?? ''),
    verdict: verdicts.consent,
  },
  {
    name: 'sorry_redirect',
    when: (facts) => isRedirect(facts) && SORRY_PATH.test(facts.location?.pathname ?? ''),
    verdict: verdicts.blocked,
  },
  { name: 'redirect', when: isRedirect, verdict: verdicts.broken },
  {
    name: 'translation_throttled',
    when: (facts) => facts.status === TOO_MANY_REQUESTS && facts.translated,
    verdict: verdicts.translationRefused,
  },
  { name: 'http_429', when: (facts) => facts.status === TOO_MANY_REQUESTS, verdict: verdicts.blocked },
  { name: 'consent_page', when: (facts) => CONSENT_FORM.test(facts.page), verdict: verdicts.consent },
  { name: 'captcha_page', when: (facts) => CAPTCHA.test(facts.page), verdict: verdicts.blocked },
  { name: 'sorry_page', when: (facts) => SORRY.test(facts.page), verdict: verdicts.blocked },
  {
    name: 'unknown_name',
    when: (facts) => facts.endpoint === 'resolve_url' && facts.errorStatus === 'NOT_FOUND',
    verdict: verdicts.sourceGone,
  },
  {
    name: 'unknown_source',
    when: (facts) => facts.endpoint === 'browse' && unknownId.includes(facts.errorStatus),
    verdict: verdicts.sourceGone,
  },
  {
    name: 'no_feed',
    when: (facts) => facts.endpoint === 'feed' && missing.includes(facts.status),
    verdict: verdicts.sourceGone,
  },
  { name: 'http_not_found', when: (facts) => missing.includes(facts.status), verdict: verdicts.odd },
  { name: 'http_status', when: (facts) => facts.status !== OK, verdict: verdicts.broken },
  {
    name: 'empty_captions',
    when: (facts) => facts.endpoint === 'timedtext' && facts.isEmpty,
    verdict: verdicts.tokenNeeded,
  },
  {
    name: 'html_page',
    when: (facts) => facts.isHtml && facts.endpoint !== 'watch_page',
    verdict: verdicts.broken,
  },
];

/** What `playabilityStatus` says; `words` holds reason, subreason and messages with plain apostrophes. */
export type PlayabilityFacts = {
  readonly status: string;
  readonly words: string;
  readonly captcha: boolean;
};

const is =
  (...statuses: readonly string[]) =>
  (facts: PlayabilityFacts) =>
    statuses.includes(facts.status);
const says =
  (pattern: RegExp, ...statuses: readonly string[]) =>
  (facts: PlayabilityFacts) =>
    (statuses.length === 0 || statuses.includes(facts.status)) && pattern.test(facts.words);

const refused = ['ERROR', 'UNPLAYABLE'] as const;
const anyRefusal = ['ERROR', 'UNPLAYABLE', 'LOGIN_REQUIRED'] as const;
const ageStatuses = ['AGE_CHECK_REQUIRED', 'AGE_VERIFICATION_REQUIRED', 'CONTENT_CHECK_REQUIRED'] as const;

/** Routes before videos, definite reasons before vague ones. Never applied to status OK. */
export const playabilityRows: readonly Row<PlayabilityFacts>[] = [
  { name: 'captcha_screen', when: (facts) => facts.captcha, verdict: verdicts.blocked },
  { name: 'bot_check', when: says(/\ba bot\b/i), verdict: verdicts.blocked },
  { name: 'try_again_later', when: says(/try again later/i), verdict: verdicts.slowDown },
  { name: 'upcoming', when: is('LIVE_STREAM_OFFLINE'), verdict: verdicts.upcoming },
  {
    name: 'private',
    when: says(/\bprivate video\b|\bvideo is private\b|granted (?:you )?access/i, ...anyRefusal),
    verdict: verdicts.gone,
  },
  {
    name: 'age_restricted',
    when: says(/inappropriate for some users|confirm your age|age[- ]restricted/i, ...anyRefusal),
    verdict: verdicts.gone,
  },
  { name: 'age_check', when: is(...ageStatuses), verdict: verdicts.gone },
  { name: 'members_only', when: says(/\bmembers?\b|join this channel/i, ...refused), verdict: verdicts.gone },
  { name: 'terminated', when: says(/\b(?:terminated|closed)\b/i, ...refused), verdict: verdicts.gone },
  { name: 'not_in_country', when: says(/\bin your country\b/i, ...refused), verdict: verdicts.notHere },
  {
    name: 'paid',
    when: says(/music premium|\bpayment\b|\bpurchase\b|\brent\b/i, ...refused),
    verdict: verdicts.goneIfAgreed,
  },
  {
    name: 'unavailable',
    when: says(
      /\bunavailable\b|\bnot available\b|isn't available|no longer available|\bremoved\b/i,
      ...refused,
    ),
    verdict: verdicts.goneIfAgreed,
  },
  { name: 'refused_in_new_words', when: says(/\S/, ...refused), verdict: verdicts.goneIfAgreedForNow },
  { name: 'refused_without_words', when: is(...refused), verdict: verdicts.odd },
  { name: 'login_required', when: is('LOGIN_REQUIRED'), verdict: verdicts.odd },
];

/** For a status that no row knows. */
export const unknownStatus: Row<PlayabilityFacts> = {
  name: 'unknown_status',
  when: () => true,
  verdict: verdicts.odd,
};

export const firstMatch = <Facts>(rows: readonly Row<Facts>[], facts: Facts): Row<Facts> | null =>
  rows.find((row) => row.when(facts)) ?? null;

const codeOf = (thrown: unknown): string => {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : null;
  return typeof code === 'string' ? code : '';
};

type FailureRow = {
  readonly name: string;
  readonly when: (thrown: unknown, isLate: boolean) => boolean;
  readonly verdict: Verdict;
};

/** Why an exchange ended without an answer that can be read. */
const failureRows: readonly FailureRow[] = [
  {
    name: 'too_large',
    when: (thrown) => thrown instanceof AnswerTooLarge || thrown instanceof Announced,
    verdict: verdicts.broken,
  },
  { name: 'unknown_encoding', when: (thrown) => thrown instanceof UnknownEncoding, verdict: verdicts.broken },
  {
    name: 'timeout',
    when: (thrown, isLate) => isLate || /TIMEOUT|ETIMEDOUT/.test(codeOf(thrown)),
    verdict: verdicts.unreachable,
  },
  {
    name: 'damaged_compression',
    when: (thrown) => /^Z_|^ERR__?ERROR_FORMAT|^ERR_BROTLI/.test(codeOf(thrown)),
    verdict: verdicts.broken,
  },
  {
    name: 'network',
    when: (thrown) => /^(?:UND_ERR|E[A-Z]|ERR_)/.test(codeOf(thrown)),
    verdict: verdicts.unreachable,
  },
];

/** Any thrown value as a refusal: known ones by name, the rest as an answer that nobody can read. */
export const refusalOf = (thrown: unknown, isLate: boolean): Refusal => {
  if (thrown instanceof RefusedAnswer) return thrown.refusal;
  const row = failureRows.find((candidate) => candidate.when(thrown, isLate));
  return row ? refusal(row.name, row.verdict, { cause: thrown }) : broken('garbage', { cause: thrown });
};

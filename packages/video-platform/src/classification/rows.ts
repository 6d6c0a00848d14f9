import { AnswerTooLarge, TooManyAnnouncements } from '@tds/bounded-http';
import { UnknownEncoding } from '../transport/index.ts';
import type { Broadcast, Endpoint } from '../types.ts';
import { type Meaning, meanings, type Refusal, RefusedAnswer, refusal } from './refusal.ts';

type Rule<Facts> = {
  readonly name: string;
  readonly when: (facts: Facts) => boolean;
  readonly meaning: Meaning;
};

const row = <Facts>(name: string, when: Rule<Facts>['when'], meaning: Meaning): Rule<Facts> => ({
  name,
  when,
  meaning,
});

/** An HTTP answer before any of it is trusted. */
export type HttpFacts = {
  readonly endpoint: Endpoint;
  readonly status: number;
  readonly location: URL | null;
  readonly isEmpty: boolean;
  readonly isHtml: boolean;
  /** The text of an HTML page without a player answer; else empty. */
  readonly page: string;
  /** `error.status` of the platform's JSON errors, such as `NOT_FOUND`; empty for other bodies. */
  readonly errorStatus: string;
  /** The request asked for a translation. */
  readonly translated: boolean;
};

const OK = 200;
const FORBIDDEN = 403;
const TOO_MANY_REQUESTS = 429;
const isRedirect = (facts: HttpFacts) => facts.status >= 300 && facts.status < 400;
const missing: readonly number[] = [404, 410];

/** The answers of browse for a well-formed id that no channel or playlist has. */
const unknownId: readonly string[] = ['NOT_FOUND', 'INVALID_ARGUMENT'];

const CONSENT_HOST = /^consent\./;
const SORRY_PATH = /^\/sorry(?:\/|$)/;
/** As a form, or as a page that only leads there. */
const CONSENT_PAGE = /["'=/]consent\.(?:youtube|google)\.[a-z.]{2,10}\\?\//;
const CAPTCHA = /captcha/i;
const SORRY = /<title>\s{0,64}Sorry|automated queries|unusual traffic|(?:\/|%2f)sorry(?:\\?\/|%2f|\?)/i;
/** The endpoints whose every answer of the platform is JSON, errors too. */
const JSON_ENDPOINTS: readonly Endpoint[] = ['player', 'search', 'browse', 'resolve_url'];
const isFromPlatform = ({ endpoint, errorStatus }: HttpFacts) =>
  errorStatus !== '' || !JSON_ENDPOINTS.includes(endpoint);

/** Classifies the shape of an answer. The first matching row decides; if none matches, the body is read. */
export const httpRows: readonly Rule<HttpFacts>[] = [
  row(
    'consent_redirect',
    (facts) => isRedirect(facts) && CONSENT_HOST.test(facts.location?.hostname ?? ''),
    meanings.consent,
  ),
  row(
    'sorry_redirect',
    (facts) => isRedirect(facts) && SORRY_PATH.test(facts.location?.pathname ?? ''),
    meanings.blocked,
  ),
  row('redirect', isRedirect, meanings.foreign),
  row(
    'translation_throttled',
    (facts) => facts.status === TOO_MANY_REQUESTS && facts.translated,
    meanings.translationRefused,
  ),
  row('http_429', (facts) => facts.status === TOO_MANY_REQUESTS, meanings.blocked),
  row('consent_page', (facts) => CONSENT_PAGE.test(facts.page), meanings.consent),
  row('captcha_page', (facts) => CAPTCHA.test(facts.page), meanings.blocked),
  row('sorry_page', (facts) => SORRY.test(facts.page), meanings.blocked),
  row(
    'unknown_name',
    (facts) => facts.endpoint === 'resolve_url' && facts.errorStatus === 'NOT_FOUND',
    meanings.sourceGone,
  ),
  row(
    'unknown_source',
    (facts) => facts.endpoint === 'browse' && unknownId.includes(facts.errorStatus),
    meanings.sourceGone,
  ),
  row('no_feed', (facts) => facts.endpoint === 'feed' && missing.includes(facts.status), meanings.sourceGone),
  row('http_not_found', (facts) => missing.includes(facts.status) && isFromPlatform(facts), meanings.odd),
  row('http_status', (facts) => facts.errorStatus !== '' && facts.status !== FORBIDDEN, meanings.broken),
  row('http_status', (facts) => facts.status !== OK, meanings.foreign),
  row('empty_captions', (facts) => facts.endpoint === 'timedtext' && facts.isEmpty, meanings.emptied),
  row('html_page', (facts) => facts.isHtml && facts.endpoint !== 'watch_page', meanings.foreign),
];

/** `playabilityStatus`; `words` holds reason, subreason and messages with plain apostrophes. */
export type PlayabilityFacts = {
  readonly status: string;
  readonly words: string;
  readonly captcha: boolean;
  /** From the details and the announced start. */
  readonly broadcast: Broadcast;
  /** The answer has details of the video. */
  readonly hasDetails: boolean;
};

const is =
  (...statuses: readonly string[]) =>
  (facts: PlayabilityFacts) =>
    statuses.includes(facts.status);
const hasText = (pattern: RegExp, statuses: readonly string[] | null) => (facts: PlayabilityFacts) =>
  (statuses?.includes(facts.status) ?? true) && pattern.test(facts.words);
/** A refusal by its words, under one of these statuses; under any if they are null. */
const says = (name: string, pattern: RegExp, statuses: readonly string[] | null, meaning: Meaning) =>
  row(name, hasText(pattern, statuses), meaning);

const OFFLINE = 'LIVE_STREAM_OFFLINE';
const unplayableStatuses = ['ERROR', 'UNPLAYABLE'] as const;
const anyRefusal = ['ERROR', 'UNPLAYABLE', 'LOGIN_REQUIRED'] as const;
const ageStatuses = ['AGE_CHECK_REQUIRED', 'AGE_VERIFICATION_REQUIRED', 'CONTENT_CHECK_REQUIRED'] as const;

const ANNOUNCED = /\b(?:begins?|starts?|premieres?|scheduled|waiting for)\b|\bin \d{1,4} (?:minute|hour|day)/i;
const offline = (broadcast: Broadcast, pattern: RegExp) => (facts: PlayabilityFacts) =>
  facts.status === OFFLINE && (facts.broadcast === broadcast || pattern.test(facts.words));

const ENDED = /\b(?:has|was) (?:just )?ended\b|\bis over\b/i;
/** Words about a place, or the law of one; names in them are capitalised. */
const PLACE =
  /\b(?:countr(?:y|ies)|regions?|locations?|areas?|territor(?:y|ies)|jurisdictions?|where you (?:are|live)|geo-?(?:block|restrict)\w{0,3})\b|\b(?:outside|only available in|not available in) (?:of )?(?:the )?(?!YouTube)[A-Z]/;
const LAW = /\b(?:court order|legal (?:complaint|request|obligation)|government|local laws?)\b/;
const UNAVAILABLE = /\bunavailable\b|\bnot available\b|isn't available|no longer available|\bremoved\b/i;
const LASTING = /\bno longer\b|\bany ?more\b|\bremoved\b/i;
const NAMES_NO_VIDEO = /\b(?:this|the|that) (?:content|page|item|media|resource)\b|^\s*(?:un|not )available\b/i;

/** What is not available is neither named nor described: a session or an address is refused in these words, too. */
const namesNothing = ({ words, hasDetails }: PlayabilityFacts): boolean =>
  !hasDetails && NAMES_NO_VIDEO.test(words) && !LASTING.test(words);

/** Words about the client, its exit or its page: they say nothing about the video. */
const CLIENT =
  /\b(?:app|application|browser|client|console|device|player|tv|administrator|network)s?\b|\b(?:updat|upgrad)\w{1,3}\b|\b(?:reload|refresh|reinstall|embed)\w{0,6}\b|\b(?:latest|newer|older|this) version\b|\b(?:this|other|certain) (?:web)?sites?\b/i;

/**
 * Routes before videos, definite reasons before vague ones; but reasons that quote names come before words about the client, which may
 * be in a name. Never applied to status OK.
 */
export const playabilityRows: readonly Rule<PlayabilityFacts>[] = [
  row('captcha_screen', (facts) => facts.captcha, meanings.blocked),
  says('bot_check', /\b(?:a bot|a robot|unusual traffic)\b/i, null, meanings.blocked),
  says('try_again_later', /try again (?:later|in \d)|too many requests/i, null, meanings.slowDown),
  row('ended', offline('ended_recently', ENDED), meanings.ended),
  row('upcoming', offline('upcoming', ANNOUNCED), meanings.upcoming),
  row('offline', is(OFFLINE), meanings.offline),
  says(
    'private',
    /\bprivate video\b|\bvideo is private\b|granted (?:you )?access/i,
    anyRefusal,
    meanings.hidden,
  ),
  says(
    'age_restricted',
    /inappropriate for some users|confirm your age|age[- ]restricted/i,
    anyRefusal,
    meanings.gone,
  ),
  says('members_first', /\bmembers?[- ]first\b|\bearly access\b/i, anyRefusal, meanings.membersFirst),
  says(
    'members_of_level',
    /\bthis channel's members\b|join this channel/i,
    unplayableStatuses,
    meanings.hidden,
  ),
  row(
    'not_in_country',
    (facts) =>
      is(...unplayableStatuses)(facts) &&
      (PLACE.test(facts.words) || (LAW.test(facts.words) && !LASTING.test(facts.words))),
    meanings.notHere,
  ),
  says('copyright', /\bcopyright (?:claim|grounds)\b/i, unplayableStatuses, meanings.goneIfAgreed),
  says('client_refused', CLIENT, [...anyRefusal, ...ageStatuses], meanings.clientRefused),
  says(
    'processing',
    /\bprocessing\b|\bbeing processed\b|\bcheck back\b/i,
    unplayableStatuses,
    meanings.processing,
  ),
  row('age_check', is(...ageStatuses), meanings.gone),
  says('members_only', /\bmembers?\b/i, unplayableStatuses, meanings.hidden),
  says('terminated', /\b(?:terminated|closed)\b/i, unplayableStatuses, meanings.gone),
  says('paid', /music premium|\bpayment\b|\bpurchase\b|\brent\b/i, unplayableStatuses, meanings.goneIfAgreed),
  row(
    'refused_without_subject',
    (facts) => hasText(UNAVAILABLE, unplayableStatuses)(facts) && namesNothing(facts),
    meanings.unclear,
  ),
  says('unavailable', UNAVAILABLE, unplayableStatuses, meanings.goneIfAgreed),
  says('refused_in_new_words', /\S/, unplayableStatuses, meanings.unclear),
  row('refused_without_words', is(...unplayableStatuses), meanings.unclear),
  row('login_required', is('LOGIN_REQUIRED'), meanings.unclear),
];

export const firstMatch = <Facts>(rows: readonly Rule<Facts>[], facts: Facts): Rule<Facts> | null =>
  rows.find((row) => row.when(facts)) ?? null;

const codeOf = (thrown: unknown): string => {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : null;
  return typeof code === 'string' ? code : '';
};

/** The names that OpenSSL and Node have for a certificate that is not trusted, or is another host's. */
const CERTIFICATE =
  /CERT|^UNABLE_TO_|^CRL_|^INVALID_(?:CA|PURPOSE)$|^PATH_LENGTH_EXCEEDED$|^HOSTNAME_MISMATCH$/;

type ExchangeFailure = { readonly thrown: unknown; readonly isLate: boolean };

/** Why an exchange ended without a readable answer. */
const failureRows: readonly Rule<ExchangeFailure>[] = [
  row(
    'too_large',
    ({ thrown }) => thrown instanceof AnswerTooLarge || thrown instanceof TooManyAnnouncements,
    meanings.broken,
  ),
  row('unknown_encoding', ({ thrown }) => thrown instanceof UnknownEncoding, meanings.foreign),
  row(
    'timeout',
    ({ thrown, isLate }) => isLate || /TIMEOUT|ETIMEDOUT/.test(codeOf(thrown)),
    meanings.unreachable,
  ),
  row(
    'damaged_compression',
    ({ thrown }) => /^Z_|^ERR__?ERROR_FORMAT|^ERR_BROTLI/.test(codeOf(thrown)),
    meanings.foreign,
  ),
  row('certificate', ({ thrown }) => CERTIFICATE.test(codeOf(thrown)), meanings.foreign),
  // Of undici, the system, TLS and the parser of HTTP; readers of bodies throw errors without a code.
  row('network', ({ thrown }) => codeOf(thrown) !== '', meanings.unreachable),
];

/** Any thrown value as a refusal: known ones by name, all others as `garbage`. */
export const toRefusal = (thrown: unknown, isLate: boolean): Refusal => {
  if (thrown instanceof RefusedAnswer) return thrown.refusal;
  const rule = firstMatch(failureRows, { thrown, isLate }) ?? { name: 'garbage', meaning: meanings.foreign };
  return refusal(rule.name, rule.meaning, { cause: thrown });
};

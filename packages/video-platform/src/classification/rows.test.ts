import { describe, expect, it } from '@jest/globals';
import { firstMatch, type HttpFacts, httpRows, type PlayabilityFacts, playabilityRows } from './rows.ts';

const playability = (status: string, words = '', captcha = false): PlayabilityFacts => ({
  status,
  words,
  captcha,
});

describe('playabilityRows', () => {
  it.each([
    ['LOGIN_REQUIRED', "Sign in to confirm you're not a bot", 'bot_check', 'ip_blocked', 'never'],
    ['LOGIN_REQUIRED', 'This video is private', 'private', 'video_unavailable', 'at_once'],
    [
      'LOGIN_REQUIRED',
      "Sign in if you've been granted access to this video",
      'private',
      'video_unavailable',
      'at_once',
    ],
    [
      'LOGIN_REQUIRED',
      'This video may be inappropriate for some users.',
      'age_restricted',
      'video_unavailable',
      'at_once',
    ],
    ['LOGIN_REQUIRED', 'Sign in to confirm your age', 'age_restricted', 'video_unavailable', 'at_once'],
    ['LOGIN_REQUIRED', '', 'login_required', 'upstream_error', 'never'],
    ['ERROR', 'This video is unavailable', 'unavailable', 'video_unavailable', 'by_two_clients'],
    ['ERROR', "This content isn't available, try again later", 'try_again_later', 'rate_limited', 'never'],
    [
      'UNPLAYABLE',
      "This content isn't available, try again later.",
      'try_again_later',
      'rate_limited',
      'never',
    ],
    [
      'UNPLAYABLE',
      "This video is available to this channel's members on level: X",
      'members_only',
      'video_unavailable',
      'at_once',
    ],
    [
      'UNPLAYABLE',
      'Join this channel to get access to perks',
      'members_only',
      'video_unavailable',
      'at_once',
    ],
    ['UNPLAYABLE', 'This video requires payment to watch', 'paid', 'video_unavailable', 'by_two_clients'],
    [
      'UNPLAYABLE',
      'The uploader has not made this video available in your country',
      'not_in_country',
      'video_unavailable',
      'after_all_exits',
    ],
    [
      'UNPLAYABLE',
      'X has blocked it in your country on copyright grounds',
      'not_in_country',
      'video_unavailable',
      'after_all_exits',
    ],
    [
      'ERROR',
      'the account associated with this video has been terminated.',
      'terminated',
      'video_unavailable',
      'at_once',
    ],
    ['UNPLAYABLE', 'the uploader has closed their account.', 'terminated', 'video_unavailable', 'at_once'],
    ['UNPLAYABLE', 'This video is not available', 'unavailable', 'video_unavailable', 'by_two_clients'],
    [
      'UNPLAYABLE',
      'This live stream recording is not available.',
      'unavailable',
      'video_unavailable',
      'by_two_clients',
    ],
    [
      'ERROR',
      'This video has been removed by the uploader',
      'unavailable',
      'video_unavailable',
      'by_two_clients',
    ],
    ['ERROR', 'Something never heard before', 'refused_in_new_words', 'video_unavailable', 'by_two_clients'],
    ['ERROR', '', 'refused_without_words', 'upstream_error', 'never'],
    [
      'LIVE_STREAM_OFFLINE',
      'This live event will begin in 18 hours.',
      'upcoming',
      'transcript_not_ready',
      'at_once',
    ],
    ['AGE_CHECK_REQUIRED', '', 'age_check', 'video_unavailable', 'at_once'],
    ['AGE_VERIFICATION_REQUIRED', '', 'age_check', 'video_unavailable', 'at_once'],
    ['CONTENT_CHECK_REQUIRED', '', 'age_check', 'video_unavailable', 'at_once'],
  ])('%s "%s" is %s', (status, words, name, code, settles) => {
    expect(firstMatch(playabilityRows, playability(status, words))).toMatchObject({
      name,
      verdict: { code, settles },
    });
  });

  it('classifies a captcha screen before any status', () => {
    expect(firstMatch(playabilityRows, playability('UNPLAYABLE', 'Video unavailable', true))?.name).toBe(
      'captcha_screen',
    );
  });

  it('has no row for an unknown status', () => {
    expect(firstMatch(playabilityRows, playability('CUSTOM', 'a reason'))).toBeNull();
  });

  it('never makes a failure of the route a fact about the video', () => {
    for (const row of [...playabilityRows, ...httpRows]) {
      if (row.verdict.about !== 'video')
        expect(row.verdict).toMatchObject({ settles: 'never', fact: { kind: 'none' } });
    }
  });
});

const http = (more: Partial<HttpFacts>): HttpFacts => ({
  endpoint: 'player',
  status: 200,
  location: null,
  isEmpty: false,
  isHtml: false,
  page: '',
  errorStatus: '',
  translated: false,
  ...more,
});
const to = (address: string) => ({ status: 302, location: new URL(address) });
const page = (text: string) => ({ isHtml: true, page: text });

describe('httpRows', () => {
  it.each<[string, Partial<HttpFacts>, string, string]>([
    [
      'a redirect to the consent host',
      to('https://consent.youtube.com/m?continue=x'),
      'consent_redirect',
      'upstream_error',
    ],
    [
      'a redirect to the Sorry page',
      to('https://www.google.com/sorry/index?q=x'),
      'sorry_redirect',
      'ip_blocked',
    ],
    ['a redirect to a private host', to('http://169.254.169.254/'), 'redirect', 'upstream_error'],
    ['a redirect to nowhere', { status: 302 }, 'redirect', 'upstream_error'],
    ['429', { status: 429 }, 'http_429', 'ip_blocked'],
    ['429 for captions', { endpoint: 'timedtext', status: 429 }, 'http_429', 'ip_blocked'],
    [
      '429 for a translation',
      { endpoint: 'timedtext', status: 429, translated: true },
      'translation_throttled',
      'translation_refused',
    ],
    [
      'a consent form',
      page('<form action="https://consent.youtube.com/s" method="POST">'),
      'consent_page',
      'upstream_error',
    ],
    ['a captcha', page('<div class="g-recaptcha"></div>'), 'captcha_page', 'ip_blocked'],
    ['a Sorry page', page('<title>Sorry...</title>'), 'sorry_page', 'ip_blocked'],
    ['404', { status: 404 }, 'http_not_found', 'upstream_error'],
    [
      'an unknown name',
      { endpoint: 'resolve_url', status: 404, errorStatus: 'NOT_FOUND' },
      'unknown_name',
      'source_not_found',
    ],
    [
      '404 of resolve_url in other words',
      { endpoint: 'resolve_url', status: 404 },
      'http_not_found',
      'upstream_error',
    ],
    [
      'an unknown id',
      { endpoint: 'browse', status: 400, errorStatus: 'INVALID_ARGUMENT' },
      'unknown_source',
      'source_not_found',
    ],
    ['404 for a feed', { endpoint: 'feed', ...page(''), status: 404 }, 'no_feed', 'source_not_found'],
    ['500 for a feed', { endpoint: 'feed', status: 500 }, 'http_status', 'upstream_error'],
    ['403', { status: 403 }, 'http_status', 'upstream_error'],
    ['500', { status: 500 }, 'http_status', 'upstream_error'],
    ['empty captions', { endpoint: 'timedtext', isEmpty: true }, 'empty_captions', 'po_token_required'],
    ['HTML for JSON', page('<html></html>'), 'html_page', 'upstream_error'],
    ['HTML for captions', { endpoint: 'timedtext', ...page('<html></html>') }, 'html_page', 'upstream_error'],
  ])('%s', (_, facts, name, code) => {
    expect(firstMatch(httpRows, http(facts))).toMatchObject({ name, verdict: { code } });
  });

  it('leaves a 200 with a body, and the watch page, to their readers', () => {
    expect(firstMatch(httpRows, http({}))).toBeNull();
    expect(firstMatch(httpRows, http({ endpoint: 'watch_page', isHtml: true }))).toBeNull();
  });
});

import { describe, expect, it } from '@jest/globals';
import { firstMatch, type HttpFacts, httpRows } from './rows.ts';

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

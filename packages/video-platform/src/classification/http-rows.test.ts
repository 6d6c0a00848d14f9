import { describe, expect, it } from '@jest/globals';
import { firstMatch, type HttpFacts, httpRows, toRefusal } from './rows.ts';

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
    [
      'the consent form of today',
      page('<form action="https://consent.youtube.com/save" method="POST">'),
      'consent_page',
      'upstream_error',
    ],
    [
      'a link to the consent page',
      page('<a href="https://consent.google.com/m?continue=x">here</a>'),
      'consent_page',
      'upstream_error',
    ],
    [
      'a captcha in another language',
      page('<form id="captcha-form">Bitte</form>'),
      'captcha_page',
      'ip_blocked',
    ],
    [
      'a link to the Sorry page',
      page('<A HREF="https://www.google.com/sorry/index?q=x">here</A>'),
      'sorry_page',
      'ip_blocked',
    ],
    [
      'a script that leads to the Sorry page',
      page(String.raw`<script>location="https:\/\/www.google.com\/sorry\/index"</script>`),
      'sorry_page',
      'ip_blocked',
    ],
    ['a captcha', page('<div class="g-recaptcha"></div>'), 'captcha_page', 'ip_blocked'],
    ['a Sorry page', page('<title>Sorry...</title>'), 'sorry_page', 'ip_blocked'],
    ['404 without the words of the interface', { status: 404 }, 'http_status', 'upstream_error'],
    ['404 in its words', { status: 404, errorStatus: 'NOT_FOUND' }, 'http_not_found', 'upstream_error'],
    ['404 for captions', { endpoint: 'timedtext', status: 404 }, 'http_not_found', 'upstream_error'],
    [
      'an unknown name',
      { endpoint: 'resolve_url', status: 404, errorStatus: 'NOT_FOUND' },
      'unknown_name',
      'source_not_found',
    ],
    [
      '404 of resolve_url in other words',
      { endpoint: 'resolve_url', status: 404 },
      'http_status',
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
    expect(firstMatch(httpRows, http(facts))).toMatchObject({ name, meaning: { code } });
  });

  it('leaves a 200 with a body, and the watch page, to their readers', () => {
    expect(firstMatch(httpRows, http({}))).toBeNull();
    expect(firstMatch(httpRows, http({ endpoint: 'watch_page', isHtml: true }))).toBeNull();
  });
});

describe('refusalOf', () => {
  const thrown = (code: string) => Object.assign(new Error('failed'), { code });

  it.each([
    'SELF_SIGNED_CERT_IN_CHAIN',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'CERT_HAS_EXPIRED',
    'CERT_NOT_YET_VALID',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'INVALID_CA',
  ])('names another certificate, which ends the session of its address: %s', (code) => {
    expect(toRefusal(thrown(code), false)).toMatchObject({
      row: 'certificate',
      meaning: { code: 'upstream_error', endsSession: 'foreign' },
    });
  });

  it.each(['ECONNRESET', 'EPROTO', 'UND_ERR_SOCKET', 'ERR_SSL_WRONG_VERSION_NUMBER', 'HPE_INVALID_CONSTANT'])(
    'knows a broken way, which ends the session of its address: %s',
    (code) => {
      expect(toRefusal(thrown(code), false)).toMatchObject({
        row: 'network',
        meaning: { about: 'route', endsSession: 'unreachable' },
      });
    },
  );
});

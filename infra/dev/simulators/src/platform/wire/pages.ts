import { encode } from 'html-entities';

export const INNERTUBE_KEY = 'simulated_innertube_key-0001';

/** JSON that may stand inside a script element. */
const scriptJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

/** The watch page, as far as a reader of captions looks into it. */
export const watchPage = (title: string, visitorData: string, playerResponse: unknown): string =>
  [
    '<!DOCTYPE html><html lang="en"><head>',
    `<title>${encode(title)} - YouTube</title>`,
    `<script>ytcfg.set({"INNERTUBE_API_KEY":"${INNERTUBE_KEY}","INNERTUBE_API_VERSION":"v1",`,
    `"INNERTUBE_CLIENT_NAME":"WEB","VISITOR_DATA":"${visitorData}"});</script></head><body>`,
    `<script>var ytInitialPlayerResponse = ${scriptJson(playerResponse)};`,
    'var meta = document.createElement("meta");</script>',
    '<script>var ytInitialData = {};</script></body></html>',
  ].join('');

export const CONSENT_VALUE = 'cb.20261101-00-p0.en+FX+001';

/** The consent interstitial; a request with the cookie of its `v` gets past it. */
export const consentPage = (videoId: string): string =>
  [
    '<!DOCTYPE html><html lang="en"><head><title>Before you continue</title></head><body>',
    '<form action="https://consent.youtube.com/s" method="POST">',
    '<input type="hidden" name="gl" value="DE">',
    `<input type="hidden" name="continue" value="https://www.youtube.com/watch?v=${encode(videoId)}">`,
    `<input type="hidden" name="v" value="${CONSENT_VALUE}">`,
    '<input type="submit" value="I agree"></form></body></html>',
  ].join('');

export const hasConsent = (cookie: string | undefined): boolean =>
  cookie?.includes(`CONSENT=YES+${CONSENT_VALUE}`) ?? false;

/** What comes with status 429. */
export const sorryPage = (): string =>
  [
    '<!DOCTYPE html><html><head><title>Sorry...</title></head><body><h1>We’re sorry...</h1>',
    '<p>... but your network may be sending automated queries.</p>',
    '<form action="/das_captcha?fw=1" method="POST"><div class="g-recaptcha" data-sitekey="none"></div></form>',
    '</body></html>',
  ].join('');

export const plainPage = (text: string): string =>
  `<!DOCTYPE html><html lang="en"><head><title>${text}</title></head><body><p>${text}</p></body></html>`;

import { expecting, type SpecialRow, transcript } from './special-video.ts';

/** Answers that are about the route of a request, never about the video. */
export const routeRows: readonly SpecialRow[] = [
  {
    id: 'botCheck_01',
    behaviour: 'LOGIN_REQUIRED, "Sign in to confirm you’re not a bot" (U+2019)',
    expect: expecting('IpBlocked'),
    faults: [{ fault: 'block' }],
  },
  {
    id: 'captcha_001',
    behaviour: 'an error screen with a captcha',
    expect: expecting('IpBlocked'),
    faults: [{ fault: 'captcha' }],
  },
  {
    id: 'tryLater_01',
    behaviour: 'UNPLAYABLE, "This content isn\'t available, try again later"',
    expect: expecting('RateLimited', 'never kept against the video'),
    faults: [{ fault: 'try_again_later' }],
  },
  {
    id: 'consent_001',
    behaviour: 'a consent page until the cookie `CONSENT=YES+<v>` comes along',
    expect: transcript('after the cookie'),
    faults: [{ fault: 'consent' }],
  },
  {
    id: 'sorry429_01',
    behaviour: '429 with the "Sorry..." page from every endpoint',
    expect: expecting('IpBlocked'),
    faults: [{ fault: 'too_many_requests' }],
  },
  {
    id: 'sorryText01',
    behaviour: '429 with the "Sorry..." page in place of captions; the player answers',
    expect: expecting('IpBlocked', 'RateLimited is right as well'),
    faults: [{ fault: 'too_many_requests', endpoint: 'timedtext' }],
  },
  {
    id: 'tokenXpe_01',
    behaviour: 'caption URLs carry exp=xpe; 200 with an empty body unless pot= is given',
    expect: expecting('PoTokenRequired'),
    video: { exp: { '*': 'xpe' } },
  },
  {
    id: 'tokenAXpe01',
    behaviour: 'the same with exp=a,xpe',
    expect: expecting('PoTokenRequired'),
    video: { exp: { '*': 'a,xpe' } },
  },
  {
    id: 'tokenWeb_01',
    behaviour: 'caption URLs carry exp=xpe for WEB and MWEB only',
    expect: transcript('by another client'),
    video: { exp: { WEB: 'xpe', MWEB: 'xpe' } },
  },
  {
    id: 'expOther_01',
    behaviour: 'caption URLs carry exp=xftt,xctw, which asks for no token',
    expect: transcript(),
    video: { exp: { '*': 'xftt,xctw' } },
  },
];

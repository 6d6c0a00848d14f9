import assert from 'node:assert/strict';
import {
  assertDelivered,
  assertRefused,
  delivered,
  type Expectation,
  type Expectations,
  open,
  refused,
} from './expect-answer.ts';

const unavailable = { status: 410, errorClass: 'Unavailable', retryable: false };
const notReady = { code: 'transcript_not_ready', retryable: true };

/** Retryable, and nothing is kept about the video: the same again after the wait. */
const faultOfTheRoute =
  (videoId: string): Expectation =>
  async (player) => {
    const answer = await player.read(videoId);
    assertRefused(answer, { retryable: true });
    assert.ok([429, 502, 503].includes(answer.status), `status ${answer.status}`);
    assert.equal((await player.facts(videoId)).body.video.status === 'unavailable', false);
  };

export const players: Expectations = {
  'p01-old-app-one-client': delivered('fp01_012345'),
  'p02-old-app-two-clients': delivered('fp02_012345'),
  'p05b-live-offline-plain': async (player) => {
    const answer = await player.read('fp05b_01234');
    assertRefused(answer, notReady);
    assert.doesNotMatch(answer.body.message, /not begun|will begin/i);
  },
  'p06-processing': refused('fp06_012345', notReady),
  'p06b-ended-unavailable': open('fp06b_01234'),
  'p07-premiere-live': refused('fp07_012345', notReady),
  'p08-premiere-upcoming-captions': refused('fp08_012345', notReady),
  'p09-copyright': refused('fp09_012345', unavailable),
  'p09b-copyright-country': refused('fp09b_01234', unavailable),
  'p10-embedding': delivered('fp10_012345'),
  'p12-members-level': refused('fp12_012345', unavailable),
  'p13-age-2026': refused('fp13_012345', unavailable),
  'p13b-age-content-check': open('fp13b_01234'),
  'p15-http400-one': delivered('fp15_012345'),
  'p16-http403-one': delivered('fp16_012345'),
  'p17-no-captions-on-one': delivered('fp17_012345'),
  'p17b-no-captions-on-two': open('fp17b_01234'),
  'p18-watch-page-only': delivered('fp18_012345'),
  'p22-removed-tos': refused('fp22_012345', unavailable),
  'p23-error-obj': delivered('fp23_012345'),
  'p24-paid-rental': refused('fp24_012345', unavailable),
  'p25-private-invite': refused('fp25_012345', unavailable),
  'p26-members-word': open('fp26_012345'),
  'p27-live-with-captions': open('fp27_012345'),
  'p27b-postlive-with-captions': open('fp27b_01234'),
  'p44-web-signed-out': delivered('g7p44_00001'),
  'w01-window-bracket': open('fw01_012345'),
  'w02-json-parse': open('fw02_012345'),
  'w03-first-null': delivered('fw03_012345'),
  'w04-no-var-minified': delivered('fw04_012345'),
};

/** These are refused as a route is, so the circuits of the strategies open: they come last. */
export const blockedRoutes: Expectations = {
  'p11-workspace': faultOfTheRoute('fp11_012345'),
  'p02b-old-app-all': faultOfTheRoute('fp02b_01234'),
  'p21-rate-2': faultOfTheRoute('fp21_012345'),
  'p14b-please-sign-in': faultOfTheRoute('fp14b_01234'),
  'p14-bot-in-messages': async (player) =>
    assertRefused(await player.read('fp14_012345'), { status: 502, code: 'ip_blocked' }),
  'canaries still work': async (player) => {
    assertDelivered(await player.read('fcanary0002'));
  },
};

import { describe, expect, it } from '@jest/globals';
import { firstMatch, httpRows, type PlayabilityFacts, playabilityRows } from './rows.ts';

const playability = (status: string, words = '', more: Partial<PlayabilityFacts> = {}): PlayabilityFacts => ({
  status,
  words,
  captcha: false,
  broadcast: 'none',
  hasDetails: false,
  ...more,
});

describe('playabilityRows', () => {
  it.each([
    ['LOGIN_REQUIRED', "Sign in to confirm you're not a bot", 'bot_check', 'ip_blocked', 'never'],
    ['LOGIN_REQUIRED', 'This video is private', 'private', 'video_unavailable', 'if_confirmed'],
    [
      'LOGIN_REQUIRED',
      "Sign in if you've been granted access to this video",
      'private',
      'video_unavailable',
      'if_confirmed',
    ],
    [
      'LOGIN_REQUIRED',
      'This video may be inappropriate for some users.',
      'age_restricted',
      'video_unavailable',
      'if_confirmed',
    ],
    ['LOGIN_REQUIRED', 'Sign in to confirm your age', 'age_restricted', 'video_unavailable', 'if_confirmed'],
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
      'members_of_level',
      'video_unavailable',
      'if_confirmed',
    ],
    [
      'UNPLAYABLE',
      'Join this channel to get access to perks',
      'members_of_level',
      'video_unavailable',
      'if_confirmed',
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
      'if_confirmed',
    ],
    ['UNPLAYABLE', 'the uploader has closed their account.', 'terminated', 'video_unavailable', 'if_confirmed'],
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
    ['ERROR', 'Something never heard before', 'refused_in_new_words', 'upstream_error', 'never'],
    ['ERROR', '', 'refused_without_words', 'upstream_error', 'never'],
    [
      'LIVE_STREAM_OFFLINE',
      'This live event will begin in 18 hours.',
      'upcoming',
      'transcript_not_ready',
      'at_once',
    ],
    ['AGE_CHECK_REQUIRED', '', 'age_check', 'video_unavailable', 'if_confirmed'],
    ['AGE_VERIFICATION_REQUIRED', '', 'age_check', 'video_unavailable', 'if_confirmed'],
    ['CONTENT_CHECK_REQUIRED', '', 'age_check', 'video_unavailable', 'if_confirmed'],
  ])('%s "%s" is %s', (status, words, name, code, settles) => {
    expect(firstMatch(playabilityRows, playability(status, words))).toMatchObject({
      name,
      meaning: { code, settles },
    });
  });

  it.each([
    'This content is not available on this country domain due to a legal complaint from the government.',
    'This content is not available due to a court order.',
    'This video is not available in this country.',
    'This video is not available in your current location.',
    'This video is not available in your area.',
    'This video is blocked in certain countries.',
    'Unfortunately, this video is not available in Germany because of its music.',
    "Sorry, this content isn't available outside the United States.",
    'This video is not available where you are.',
    'Rights holders have geo-restricted this video.',
  ])('words about a place are believed of that place only: %s', (words) => {
    expect(firstMatch(playabilityRows, playability('UNPLAYABLE', words))).toMatchObject({
      name: 'not_in_country',
      meaning: { settles: 'after_all_exits', fact: { kind: 'short_lived' } },
    });
  });

  it.each([
    ["Video unavailable This content isn't available.", false, 'refused_without_subject', 'upstream_error'],
    ['Unavailable', false, 'refused_without_subject', 'upstream_error'],
    ['This page is not available.', false, 'refused_without_subject', 'upstream_error'],
    ["This content isn't available.", true, 'unavailable', 'video_unavailable'],
    ['Video unavailable', false, 'unavailable', 'video_unavailable'],
    ['This content is no longer available', false, 'unavailable', 'video_unavailable'],
    ['This content has been removed due to a legal complaint', false, 'unavailable', 'video_unavailable'],
  ])('%s (details: %s) is %s', (words, hasDetails, name, code) => {
    expect(firstMatch(playabilityRows, playability('ERROR', words, { hasDetails }))).toMatchObject({
      name,
      meaning: { code },
    });
  });

  it('a video for members first is not ready, and kept for an hour', () => {
    const words = 'Join this channel to get access to members-first content like this video';
    expect(firstMatch(playabilityRows, playability('UNPLAYABLE', words))?.meaning).toMatchObject({
      code: 'transcript_not_ready',
      errorClass: 'Unavailable',
      fact: { kind: 'short_lived', ttlSeconds: 3_600 },
    });
  });

  it.each([
    'The following content is not available on this app.',
    'Video unavailable Watch on the latest version of YouTube.',
    'Please update the application to continue',
    'Reload the page to watch this video',
    'This video is not available on this device',
    'This video is only available in the YouTube app',
    'Your browser does not support this video',
    'This video is restricted. Check the network administrator restrictions.',
    'Video unavailable Playback on other websites has been disabled by the video owner',
    'This feature is off for family members on this device.',
    'Private viewing needs an upgraded player',
  ])('words about the client are a fault of the route: %s', (words) => {
    for (const status of ['ERROR', 'UNPLAYABLE', 'LOGIN_REQUIRED', 'CONTENT_CHECK_REQUIRED']) {
      expect(firstMatch(playabilityRows, playability(status, words))).toMatchObject({
        name: 'client_refused',
        meaning: { about: 'route', code: 'upstream_error', fact: { kind: 'none' } },
      });
    }
  });

  it.each([
    ["This video is available to this channel's members on level: Network Fans", 'members_of_level'],
    ['It contains content from App Network, who has blocked it on copyright grounds', 'copyright'],
    ['No longer available due to a copyright claim by Update Device Ltd', 'copyright'],
    ['Blocked by The Browser Network in your country on copyright grounds', 'not_in_country'],
  ])('a name that sounds like a client changes no definite reason: %s', (words, name) => {
    expect(firstMatch(playabilityRows, playability('UNPLAYABLE', words))?.name).toBe(name);
  });

  it.each([
    ['Offline.', 'none', 'offline', 'is offline'],
    ['Offline.', 'live', 'offline', 'is offline'],
    ['Offline.', 'upcoming', 'upcoming', 'has not begun yet'],
    ['Premieres in 3 hours', 'none', 'upcoming', 'has not begun yet'],
    ['This live event has ended.', 'none', 'ended', 'has ended'],
    ['Offline.', 'ended_recently', 'ended', 'has ended'],
  ] as const)('an offline broadcast, "%s" and %s, is %s', (words, broadcast, name, message) => {
    const facts = playability('LIVE_STREAM_OFFLINE', words, { broadcast });
    expect(firstMatch(playabilityRows, facts)).toMatchObject({
      name,
      meaning: { code: 'transcript_not_ready', message: expect.stringContaining(message) },
    });
  });

  it.each(["We're processing this video. Check back later.", 'The upload is still being processed'])(
    'a video in the making is not ready: %s',
    (words) => {
      expect(firstMatch(playabilityRows, playability('UNPLAYABLE', words))).toMatchObject({
        name: 'processing',
        meaning: { code: 'transcript_not_ready', settles: 'at_once' },
      });
    },
  );

  it('classifies a captcha screen before any status', () => {
    expect(
      firstMatch(playabilityRows, playability('UNPLAYABLE', 'Video unavailable', { captcha: true }))?.name,
    ).toBe('captcha_screen');
  });

  it('has no row for an unknown status', () => {
    expect(firstMatch(playabilityRows, playability('CUSTOM', 'a reason'))).toBeNull();
  });

  it('never makes a failure of the route a fact about the video', () => {
    for (const row of [...playabilityRows, ...httpRows]) {
      if (row.meaning.about !== 'video')
        expect(row.meaning).toMatchObject({ settles: 'never', fact: { kind: 'none' } });
    }
  });
});

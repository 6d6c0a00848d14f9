import { describe, expect, it } from '@jest/globals';
import { unknownVideo } from '@tds/contracts';
import { RefusedAnswer } from '../classification/refusal.ts';
import { playable, refusedBy, speech, VIDEO_ID, wireCaptions, wireTrack } from '../test-support/wire.ts';
import { readPlayer } from './read-player.ts';

const now = new Date('2026-06-01T00:00:00Z');
const read = (body: string) => readPlayer(body, VIDEO_ID, now);
const rowOf = (body: string): string => {
  try {
    read(body);
  } catch (thrown) {
    if (thrown instanceof RefusedAnswer) return thrown.refusal.row;
    throw thrown;
  }
  return 'read';
};
const details = (more: object) => ({ videoDetails: { videoId: VIDEO_ID, ...more } });

describe('the video of an answer', () => {
  it.each([
    ['another video', playable([], [], { videoDetails: { videoId: 'anotherOne1' } })],
    ['no video, though playable', playable([], [], { videoDetails: {} })],
    [
      'another video, refused',
      JSON.stringify({
        ...JSON.parse(refusedBy('ERROR', 'This video is unavailable')),
        videoDetails: { videoId: 'anotherOne1' },
      }),
    ],
  ])('of %s is never accepted', (_, body) => {
    expect(rowOf(body)).toBe('wrong_video');
  });

  it('may be missing in a refusal', () => {
    expect(rowOf(refusedBy('LOGIN_REQUIRED', 'This video is private'))).toBe('private');
  });

  it.each(['{}', '[]', 'null', '"text"', '{"playabilityStatus":{}}', '{"playabilityStatus":{"status":7}}'])(
    'an answer without a status is no answer: %s',
    (body) => {
      expect(rowOf(body)).toBe('no_playability_status');
    },
  );

  it('may be inside the answer of the Shorts call', () => {
    expect(read(`{"playerResponse":${playable([wireTrack('en')])}}`).captions.tracks).toHaveLength(1);
  });
});

describe('an endless answer', () => {
  const long = 'x'.repeat(3_000_000);
  const texts = (value: unknown): string[] =>
    typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(texts);

  it('has texts of at most one line', () => {
    const track = wireTrack('en', { name: { runs: [{ text: long }] }, vssId: long, trackName: long });
    const answer = read(playable([track], ['de'], details({ title: long, author: long })));
    expect(answer.video).toMatchObject({ title: 'x'.repeat(500), channel_title: 'x'.repeat(500) });
    expect(Math.max(...texts(answer).map((text) => text.length))).toBe(500);
  });

  it('has a limited number of tracks and languages', () => {
    const codes = (count: number) => Array.from({ length: count }, (_, at) => `x${at}`);
    const { captions } = read(
      playable(
        codes(4_000).map((code) => wireTrack(code)),
        codes(20_000),
      ),
    );
    expect(captions.tracks).toHaveLength(300);
    expect(captions.translationLanguages).toHaveLength(600);
    expect(captions.omitted).toBe(4_000 - 300);
  });

  it('has no track with an address beyond the limit', () => {
    const track = wireTrack('en', { baseUrl: `/api/timedtext?v=${long}` });
    expect(read(playable([track, wireTrack('de')])).captions.tracks).toHaveLength(1);
  });
});

describe('video details', () => {
  it('has known values, and null for the rest', () => {
    expect(read(playable([wireTrack('en')])).video).toEqual({
      ...unknownVideo(VIDEO_ID),
      title: 'A title',
      channel_id: 'UCabcdefghijklmnopqrstuv',
      channel_title: 'A channel',
      duration: 61,
    });
    const odd = details({ title: 7, author: null, channelId: 'invalid', lengthSeconds: '0' });
    expect(read(playable([wireTrack('en')], [], odd)).video).toMatchObject({
      title: null,
      channel_id: null,
      channel_title: null,
      duration: null,
    });
  });

  it.each([
    ['2008-09-22', '2008-09-22'],
    ['2024-01-02T20:04:05-08:00', '2024-01-03'],
    ['soon', null],
  ])('has the publish date %s of the microformat as the UTC day %s', (publishDate, expected) => {
    const microformat = { playerMicroformatRenderer: { publishDate } };
    expect(read(playable([], [], { microformat })).video.published_at).toBe(expected);
  });

  it.each([
    [{}, 'none'],
    [{ isLive: true, isLiveContent: true }, 'live'],
    [{ isUpcoming: true }, 'upcoming'],
    [{ isPostLiveDvr: true }, 'ended_recently'],
    [{ isLiveContent: true }, 'ended_recently'],
  ])('%j is the broadcast state %s', (marks, expected) => {
    expect(read(playable([], [], details(marks))).broadcast).toBe(expected);
  });

  it.each([
    ['2026-05-31T12:00:00Z', 'ended_recently'],
    ['2026-05-01T12:00:00Z', 'none'],
  ])('a broadcast that ended at %s is %s', (endTimestamp, expected) => {
    const microformat = { playerMicroformatRenderer: { liveBroadcastDetails: { endTimestamp } } };
    expect(read(playable([], [], { ...details({ isLiveContent: true }), microformat })).broadcast).toBe(
      expected,
    );
  });
});

describe('tracks', () => {
  it('keeps path and query of an address and never its host', () => {
    const hostile = wireTrack('en', { baseUrl: 'http://169.254.169.254/api/timedtext?v=x&lang=en' });
    expect(read(playable([hostile])).captions.tracks[0]?.path).toBe('/api/timedtext?v=x&lang=en');
  });

  it('leaves out and counts odd tracks and languages, and keeps the positions of the rest', () => {
    const tracks = [
      wireTrack('de', { baseUrl: 7 }),
      wireTrack('fr', { kind: 'forced' }),
      wireTrack('en'),
      speech('en'),
    ];
    const body = playable(tracks, [], {
      captions: wireCaptions(tracks, [], {
        audioTracks: [{ captionTrackIndices: [0, 1, 2, 3], defaultCaptionTrackIndex: 2 }],
        translationLanguages: [{ languageCode: 'es' }, { languageCode: null }, 'fr'],
      }),
    });
    const { captions } = read(body);
    expect(captions.tracks).toMatchObject([
      { vssId: '.en', isDefault: true, isDefaultAudio: true },
      { vssId: 'a.en', isDefaultAudio: true },
    ]);
    expect(captions).toMatchObject({ translationLanguages: ['es'], isReadable: true, omitted: 4 });
  });

  it.each([
    ['no track', wireCaptions([wireTrack('en', { languageCode: 5 })])],
    ['no list', { playerCaptionsTracklistRenderer: { captionTracks: {} } }],
    ['no renderer', {}],
    ['nothing', null],
  ])('without any readable one are garbage, not a video without captions: %s', (_, captions) => {
    expect(rowOf(playable([], [], { captions }))).toBe('unreadable_tracks');
  });

  it.each([
    ['an empty list', { playerCaptionsTracklistRenderer: { captionTracks: [] } }],
    ['no list', { playerCaptionsTracklistRenderer: { audioTracks: [] } }],
  ])('may be none: %s', (_, captions) => {
    expect(read(playable([], [], { captions })).captions.tracks).toEqual([]);
  });

  it('has no tracks if the video has no captions', () => {
    expect(read(playable([])).captions.tracks).toEqual([]);
  });

  it('recognises a named track by its name or by its mark', () => {
    const tracks = [
      wireTrack('en', { trackName: 'Commentary' }),
      wireTrack('en', { vssId: '.en.a-b.c' }),
      wireTrack('en'),
    ];
    expect(read(playable(tracks)).captions.tracks.map((track) => track.isNamed)).toEqual([true, true, false]);
  });

  it.each([
    ['the default one', ['de.3', 'en.4', 'es.3'], 1, [false, true, false]],
    [
      'the one marked so, not the dub that an asker elsewhere hears first',
      ['en-US.10', 'de-DE.4'],
      0,
      [false, true],
    ],
    ['the one marked so beside a dub by hand', ['en-US.3', 'de-DE.4'], 0, [false, true]],
    ['the one that is no dub', ['en-US.10', 'de-DE.0'], 0, [false, true]],
    ['unknown if all are dubs', ['en-US.10', 'de-DE.10'], 0, [false, false]],
    ['what remains beside the only audio, a dub', ['en-US.10'], 0, [false, true]],
  ])('are of the original audio, never of a dub: %s', (_, ids, defaultAudioTrackIndex, expected) => {
    const codes = ids.length === 3 ? ['de', 'en', 'es'] : ['en', 'de'];
    const tracks = codes.map((code) => speech(code));
    const captionTrackIndices = codes.map((_code, at) => at);
    const audioTracks = ids.map((audioTrackId, defaultCaptionTrackIndex) => ({
      ...{ captionTrackIndices, audioTrackId, defaultCaptionTrackIndex },
    }));
    const captions = wireCaptions(tracks, [], { audioTracks, defaultAudioTrackIndex });
    const found = read(playable(tracks, [], { captions })).captions.tracks;
    expect(found.map((track) => track.isDefaultAudio)).toEqual(expected);
    // Fallbacks and translations start from there, too.
    expect(found.findIndex((track) => track.isDefault)).toBe(ids.length > 1 ? expected.indexOf(true) : -1);
  });

  it('has no spoken language if several are recognised without a hint', () => {
    const tracks = ['de', 'en'].map((code) => speech(code));
    expect(read(playable(tracks)).captions.tracks.map((track) => track.isDefaultAudio)).toEqual([false, false]);
  });
});

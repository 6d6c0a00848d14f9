export const VIDEO_ID = 'abcdefghij0';

type WireTrack = Readonly<Record<string, unknown>>;

export const wireTrack = (languageCode: string, more: WireTrack = {}): WireTrack => ({
  baseUrl: `https://elsewhere.example/api/timedtext?v=${VIDEO_ID}&lang=${languageCode}&fmt=srv3`,
  name: { runs: [{ text: languageCode }] },
  vssId: `.${languageCode}`,
  languageCode,
  isTranslatable: true,
  trackName: '',
  ...more,
});

export const speech = (languageCode: string, more: WireTrack = {}): WireTrack =>
  wireTrack(languageCode, { kind: 'asr', vssId: `a.${languageCode}`, ...more });

export const wireCaptions = (
  tracks: readonly WireTrack[],
  translations: readonly string[] = [],
  more: WireTrack = {},
) => ({
  playerCaptionsTracklistRenderer: {
    captionTracks: tracks,
    audioTracks: [{ captionTrackIndices: tracks.map((_, index) => index) }],
    translationLanguages: translations.map((languageCode) => ({ languageCode })),
    defaultAudioTrackIndex: 0,
    ...more,
  },
});

export const playable = (
  tracks: readonly WireTrack[],
  translations: readonly string[] = [],
  more: WireTrack = {},
): string =>
  JSON.stringify({
    playabilityStatus: { status: 'OK' },
    videoDetails: {
      videoId: VIDEO_ID,
      title: 'A title',
      author: 'A channel',
      channelId: 'UCabcdefghijklmnopqrstuv',
      lengthSeconds: '61',
    },
    ...(tracks.length === 0 ? {} : { captions: wireCaptions(tracks, translations) }),
    ...more,
  });

export const refusedBy = (status: string, reason?: string): string =>
  JSON.stringify({ playabilityStatus: { status, ...(reason === undefined ? {} : { reason }) } });

export const json3 = (...texts: readonly string[]): string =>
  JSON.stringify({
    wireMagic: 'pb3',
    events: texts.map((utf8, index) => ({ tStartMs: index * 1000, dDurationMs: 900, segs: [{ utf8 }] })),
  });

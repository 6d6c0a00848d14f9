export type AnswerKind = 'json' | 'captions' | 'xml' | 'html' | 'srt';

export type AnswerFile = {
  /** Where the derived answer lies. */
  readonly name: string;
  readonly kind: AnswerKind;
  /** How the path of the recorded answer begins, which no other one begins with. */
  readonly recorded: string;
};

const under =
  (folder: string, kind: AnswerKind, collection: string) =>
  (files: Readonly<Record<string, string>>): readonly AnswerFile[] =>
    Object.entries(files).map(([name, file]) => ({
      name: `${folder}/${name}`,
      kind,
      recorded: `${collection}/${file}`,
    }));

/** Every answer, by what was asked. */
export const answerFiles = {
  player: [
    ...under(
      'player',
      'json',
      'youtube-transcript-api',
    )({
      'nine-tracks': 'youtube.innertube',
      'gated-track': 'youtube_po_token',
      'bot-check': 'youtube_request_blocked',
      unavailable: 'youtube_video_unavailable',
      'no-captions': 'youtube_transcripts_disabled',
    }),
    ...under(
      'player',
      'json',
      'pytubefix',
    )({
      'old-client': 'Q',
      'private-by-subreason': 'm',
      'old-client-no-captions': 'W',
    }),
    ...under(
      'player',
      'json',
      'newpipe-extractor/player',
    )({
      'dubbed-android': 'collaborators.1',
      'dubbed-visionos': 'collaborators.3',
      'speech-only': 'publicbroadcaster',
      private: 'notavailable-privatecontent',
      'members-only': 'notavailable-paidcontent',
    }),
  ],
  search: under(
    'search',
    'json',
    'newpipe-extractor/search',
  )({
    all: 'all.2',
    'all-continued': 'all.3',
    channels: 'channel',
    'with-a-notice': 'crisisresources',
    playlists: 'playlists',
  }),
  listing: under(
    'browse',
    'json',
    'newpipe-extractor/browse',
  )({
    'channel-tab': 'channeltab-videos',
    playlist: 'playlist-continuationss.3',
    'playlist-continued': 'playlist-continuationss.4',
  }),
  gone: under(
    'browse',
    'json',
    'newpipe-extractor/browse',
  )({
    'gone-channel': 'channel-notavailable',
    'gone-playlist': 'playlist-notavailable',
  }),
  resolve: under('resolve', 'json', 'newpipe-extractor/resolve')({ handle: 'channelhelper.2' }),
  dataApi: under(
    'data-api',
    'json',
    'data-api',
  )({
    'first-page': 'py-playlistItems.p1',
    'last-page': 'py-playlistItems.p2',
    videos: 'py-videos.multi',
  }),
  json3: under(
    'captions',
    'captions',
    'timedtext',
  )({
    'speech.json3': 'vido-asr-short',
    'manual.json3': 'y2bcaptions-manual.json3',
  }),
  srv: [
    ...under('captions', 'xml', 'timedtext')({ 'manual.srv3': 'yttml', 'speech.srv1': 'elixir' }),
    ...under('captions', 'xml', 'youtube-transcript-api')({ 'marked.srv1': 'transcript.xml' }),
  ],
  feed: [
    ...under('feed', 'xml', 'feeds')({ playlist: 'releases-playlist' }),
    ...under('feed', 'xml', 'newpipe-extractor/feed')({ channel: 'k' }),
  ],
  page: under(
    'page',
    'html',
    'youtube-transcript-api',
  )({
    consent: 'youtube_consent_page',
    captcha: 'youtube_too_many_requests',
  }),
  /** What a peer made of `captions/manual.json3`. */
  srt: under('captions', 'srt', 'timedtext')({ manual: 'y2bcaptions-manual.expected' }),
} as const;

export const allFiles: readonly AnswerFile[] = Object.values(answerFiles).flat();

export const fileNamed = (name: string): AnswerFile => {
  const file = allFiles.find((one) => one.name === name);
  if (file === undefined) throw new RangeError(`no answer ${name}`);
  return file;
};

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

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

const fileNamed = (name: string): AnswerFile => {
  const file = allFiles.find((one) => one.name === name);
  if (file === undefined) throw new RangeError(`no answer ${name}`);
  return file;
};

export const derivedFolder = join(import.meta.dirname, '../answers');
export const recordedFolder = join(import.meta.dirname, '../../../../shared/recordings');

const endings: Readonly<Record<AnswerKind, string>> = {
  ...{ json: '.json', captions: '.json', xml: '.xml', html: '.html', srt: '.srt' },
};
export const derivedPath = ({ name, kind }: AnswerFile): string => name + endings[kind];
export const readingPath = ({ name }: AnswerFile): string => `${name}.reading.json`;

/** Answers of the platform, by the names of `answerFiles`. */
export type Answers = {
  readonly name: string;
  body(name: string): string;
  /** What an independent reader made of the answer; undefined where there was none. */
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape of what it asks for
  reading(name: string): any;
};

const text = (path: string): string => readFileSync(path, 'utf8');
const parsedIf = (path: string | undefined): unknown =>
  path === undefined || !existsSync(path) ? undefined : JSON.parse(text(path));

/** Made-up answers, of the structure of real ones. */
export const derived: Answers = {
  name: 'derived',
  body: (name) => text(join(derivedFolder, derivedPath(fileNamed(name)))),
  reading: (name) => parsedIf(join(derivedFolder, readingPath(fileNamed(name)))),
};

/** The only file whose path begins so; undefined where there is none. */
const beginning = (path: string): string | undefined => {
  const folder = dirname(path);
  const [found, ...more] = existsSync(folder)
    ? readdirSync(folder).filter((name) => name.startsWith(basename(path)))
    : [];
  if (more.length > 0) throw new RangeError(`more than one file begins with ${path}`);
  return found === undefined ? undefined : join(folder, found);
};

/** The answer itself, where it was recorded with its request. */
const unwrapped = (given: string): string => {
  if (!given.startsWith('{')) return given;
  const { response } = JSON.parse(given);
  return response === undefined ? given : response.responseBody;
};

/** Recorded answers. Readings stand in a folder beside the answers of a collection. */
export const recordedIn = (folder: string): Answers => ({
  name: 'recorded',
  body(name) {
    const path = join(folder, fileNamed(name).recorded);
    const found = beginning(path);
    if (found === undefined) throw new RangeError(`nothing begins with ${path}`);
    return unwrapped(text(found));
  },
  reading(name) {
    const [collection = '', ...rest] = fileNamed(name).recorded.split('/');
    return parsedIf(beginning(join(folder, collection, 'expected', ...rest)));
  },
});

/** The derived answers; also the recorded ones, where these lie beside the clone. */
export const answerSources: readonly Answers[] = [
  derived,
  ...(existsSync(recordedFolder) ? [recordedIn(recordedFolder)] : []),
];

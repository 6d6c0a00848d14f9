import {
  type AnswerFile,
  type AnswerKind,
  type Answers,
  allFiles,
  derivedPath,
  readingPath,
} from '../answers.ts';
import { fewEvents, KEPT_EVENTS, leavesOf, pruned, replacedIn } from './json.ts';
import { createReplacer, MIN_LENGTH, type Replace, tokensOf } from './leaves.ts';
import { replacedPage, replacedSrt, replacedXml } from './markup.ts';

/** What tests compare with. */
const COMPARED = [
  ...[
    'video_id',
    'title',
    'author',
    'channel_id',
    'length_seconds',
    'tracks',
    'translation_languages',
    'playability',
  ],
  ...['items', 'has_next', 'channel_id_raw', 'playlist_id', 'entries', 'cues'],
] as const;
const OF_TRACKS = ['language_code', 'kind', 'vss_id', 'pot_required'] as const;

type Reading = Readonly<Record<string, unknown>>;
type Listed = Readonly<Record<string, unknown>>;

const only = (value: Reading, keys: readonly string[]): Reading =>
  Object.fromEntries(keys.filter((key) => key in value).map((key) => [key, value[key]]));

const idOf = (item: Listed): unknown =>
  item.video_id ?? (item.type === 'channel' ? item.channel_id : item.id);

const spoken = (captions: {
  readonly events: readonly { readonly segs?: readonly { readonly utf8: string }[] }[];
}) => captions.events.filter(({ segs = [] }) => segs.some(({ utf8 }) => /\S/.test(utf8))).length;

/** An independent reader's reading of a whole answer, for what is left of that answer. */
const cutReading = (reading: Reading, answer: unknown, kind: AnswerKind): unknown => {
  const kept = { ...only(reading, COMPARED) };
  const text = JSON.stringify(answer);
  if (Array.isArray(kept.items)) kept.items = kept.items.filter((item) => text.includes(`"${idOf(item)}"`));
  if (Array.isArray(kept.tracks)) kept.tracks = kept.tracks.map((track) => only(track, OF_TRACKS));
  if (Array.isArray(kept.translation_languages)) {
    kept.translation_languages = pruned(kept.translation_languages, 'translation_languages');
  }
  if (Array.isArray(kept.cues) && kind === 'captions') {
    kept.cues = kept.cues.slice(0, spoken(answer as Parameters<typeof spoken>[0]));
  }
  return kept;
};

export type Derived = { readonly path: string; readonly text: string };

const written = (value: unknown): string => `${JSON.stringify(value, null, 1)}\n`;

/** A derived answer, and as much of it as a reading needs to know. */
const derive = (body: string, { kind }: AnswerFile, replace: Replace): { text: string; answer: unknown } => {
  if (kind === 'html') return { text: replacedPage(body, replace), answer: null };
  if (kind === 'srt') return { text: replacedSrt(body, KEPT_EVENTS, replace), answer: null };
  if (kind === 'xml') return { text: replacedXml(body, replace), answer: null };
  const whole = JSON.parse(body);
  const answer = kind === 'captions' ? fewEvents(whole, KEPT_EVENTS) : pruned(whole);
  return { text: written(replacedIn(answer, replace)), answer };
};

/** A derived answer, and the reading of it where there is one. */
const derivedFiles = (recorded: Answers, file: AnswerFile, replace: Replace): readonly Derived[] => {
  const { text, answer } = derive(recorded.body(file.name), file, replace);
  const own = { path: derivedPath(file), text };
  const reading = recorded.reading(file.name);
  if (reading === undefined) return [own];
  const cut = cutReading(reading, answer, file.kind);
  return [own, { path: readingPath(file), text: written(replacedIn(cut, replace)) }];
};

/** The texts of an answer, as they were recorded. */
const textsOf = (body: string): readonly string[] =>
  body.startsWith('{') ? leavesOf(JSON.parse(body)) : [body];

/** All words, names and ids of the recorded answers that are longer than a few letters. */
export const originalTokens = (recorded: Answers): ReadonlySet<string> =>
  new Set(
    allFiles
      .flatMap(({ name }) => textsOf(recorded.body(name)))
      .flatMap(tokensOf)
      .filter(({ length }) => length >= MIN_LENGTH),
  );

/** Made-up answers of the structure of those recorded. */
export const deriveAll = (recorded: Answers): readonly Derived[] => {
  const replace = createReplacer(originalTokens(recorded));
  return allFiles.flatMap((file) => derivedFiles(recorded, file, replace));
};

import type { AnswerKind } from '../files.ts';
import { pruned } from './json.ts';

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
export const cutReading = (reading: Reading, answer: unknown, kind: AnswerKind): unknown => {
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

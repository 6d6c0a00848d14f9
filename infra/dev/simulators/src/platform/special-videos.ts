import { readFileSync } from 'node:fs';
import { dubbedAudio, manualTrack, singleAudio, speechTrack } from './catalogue/tracks.ts';
import type { Track, Video } from './catalogue/video.ts';
import type { Endpoint, FaultName } from './faults/fault.ts';
import type { ClientName } from './wire/clients.ts';

/**
 * The conclusion of a correct reader: a transcript, or a class of failure. `NotYet` is neither: the video may have
 * captions later, so nothing durable may be recorded.
 */
export type Outcome =
  | 'Transcript'
  | 'NoCaptions'
  | 'Unavailable'
  | 'NotYet'
  | 'IpBlocked'
  | 'RateLimited'
  | 'PoTokenRequired'
  | 'UpstreamError';

export type Expectation = { outcome: Outcome; note?: string };

export type SpecialVideo = {
  id: string;
  title?: string;
  /** What the platform does, in words. */
  behaviour: string;
  expect: Expectation;
};

/** A fault that a special video always has. Without an endpoint it hits those that the fault can apply to. */
type LastingFault = { fault: FaultName; endpoint?: Endpoint; client?: ClientName; latencyMs?: number };

/** A row of `special-videos.json`. Without `video` and `faults` it is a plain video with an apt id. */
type Row = Omit<SpecialVideo, 'expect'> &
  Expectation & {
    video?: Omit<Partial<Video>, 'tracks'> & {
      /** `en`, `en Name of the track`, or `asr en` for recognised speech. */
      tracks?: readonly string[];
      isDubbed?: boolean;
      isTranslatable?: boolean;
    };
    faults?: readonly LastingFault[];
  };

const file = new URL('special-videos.json', import.meta.url);
const rows = Object.values(JSON.parse(readFileSync(file, 'utf8')) as Record<string, Row[]>).flat();
const byId = new Map(rows.map((row) => [row.id, row]));

const parseTrack = (text: string): Track => {
  const [first = '', ...rest] = text.split(' ');
  return first === 'asr' ? speechTrack(rest.join('')) : manualTrack(first, rest.join(' '));
};

const toVideo = ({ tracks: texts, isDubbed, isTranslatable, ...video }: NonNullable<Row['video']>) => {
  if (!texts) return video;
  const tracks = texts.map((text) => ({ ...parseTrack(text), translatable: isTranslatable ?? true }));
  return { ...video, tracks, audioTracks: isDubbed ? dubbedAudio(tracks) : singleAudio(tracks) };
};

export type SpecialRow = SpecialVideo & { video: Partial<Video> };

const toSpecialVideo = ({ id, title, behaviour, outcome, note }: Row): SpecialVideo => ({
  ...{ id, behaviour, ...(title === undefined ? {} : { title }) },
  expect: { outcome, ...(note === undefined ? {} : { note }) },
});

export const specialRow = (id: string): SpecialRow | undefined => {
  const row = byId.get(id);
  return row && { ...toSpecialVideo(row), video: toVideo(row.video ?? {}) };
};

export const lastingFaults = (id: string): readonly LastingFault[] => byId.get(id)?.faults ?? [];

/** Every video with a behaviour of its own, whatever the seed. */
export const specialVideos: readonly SpecialVideo[] = rows.map(toSpecialVideo);

/** A generated reference of them. */
export const specialVideosMarkdown = (): string => {
  const lines = rows.map(
    ({ id, behaviour, outcome, note = '' }) => `| \`${id}\` | ${behaviour} | ${outcome} | ${note} |`,
  );
  return `# Special videos of the platform simulator

Generated from infra/dev/simulators/src/platform/special-videos.json; do not edit. They are the same under every seed. \`NotYet\` means that
nothing durable may be recorded.

| Id | Behaviour | Outcome | Note |
|---|---|---|---|
${lines.join('\n')}
`;
};

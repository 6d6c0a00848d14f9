import type { VideoDetails } from '@tds/contracts';
import type { Broadcast, PlatformTrack, VideoInspection } from '../types.ts';
import type { Source } from './evidence.ts';

const merged = (sources: readonly Source[]): VideoDetails | null => {
  const [first, ...others] = sources.map((source) => source.answer.video);
  if (first === undefined) return null;
  return others.reduce<VideoDetails>(
    (known, more) => ({
      id: known.id,
      title: known.title ?? more.title,
      channel_id: known.channel_id ?? more.channel_id,
      channel_title: known.channel_title ?? more.channel_title,
      published_at: known.published_at ?? more.published_at,
      duration: known.duration ?? more.duration,
    }),
    first,
  );
};

/** An inspection that remembers where its tracks can be had. The addresses are private: they are signed and expire. */
export class Inspection implements VideoInspection {
  readonly video: VideoDetails;
  readonly tracks: readonly PlatformTrack[];
  readonly translationLanguages: readonly string[];
  readonly translationsComplete: boolean;
  readonly broadcast: Broadcast;
  readonly strategy: string;
  readonly egress: string;
  readonly #sources: readonly Source[];

  constructor(first: Source, others: readonly Source[], translationsComplete: boolean) {
    const sources = [first, ...others];
    this.#sources = sources;
    this.video = merged(sources) ?? first.answer.video;
    this.tracks = first.answer.captions.tracks.map(({ path: _path, ...track }) => track);
    this.translationLanguages = [
      ...new Set(sources.flatMap((source) => source.answer.captions.translationLanguages)),
    ];
    this.translationsComplete = translationsComplete;
    this.broadcast = first.answer.broadcast;
    this.strategy = first.route.strategy.name;
    this.egress = first.route.egress.name;
  }

  /** Null for an inspection that no platform object of this process made. */
  static sourcesOf(inspection: VideoInspection): readonly Source[] | null {
    return inspection instanceof Inspection ? inspection.#sources : null;
  }
}

import { randomUUID } from 'node:crypto';
import type { Cue, TranscriptFormat } from '@tds/contracts';
import type { NewObject } from '@tds/service-kit';
import { REFUSAL_MEMORY_MS } from '../domain/selection.ts';
import type { CachedTranscript } from '../domain/transcript.ts';
import type { Delivery, Fetch } from '../store/fetches.ts';
import { languagesOf, type ObtainedTrack, publicTracks } from './obtain-track.ts';
import { packCues, type RenderedBody, render } from './transcript-files.ts';

/** A track that is new, as it is to be stored. */
export type PackedTrack = {
  readonly transcript: CachedTranscript & { readonly cueCount: number };
  /** In the format that whoever began the fetch waits for. */
  readonly rendered: RenderedBody | null;
  readonly objects: readonly NewObject[];
};

type Content = {
  readonly format: TranscriptFormat | null;
  readonly cues: readonly Cue[];
  readonly cachedAt: Date;
};

/** Its cues, and the file in the format that is waited for. */
export async function packTrack(
  { track, video, inspection }: Pick<ObtainedTrack, 'track' | 'video' | 'inspection'>,
  { format, cues, cachedAt }: Content,
): Promise<PackedTrack> {
  const identified = { ...track, id: randomUUID(), video, strategy: inspection.strategy };
  const [packedCues, rendered] = await Promise.all([
    packCues(cues),
    format && render(identified, format, cues),
  ]);
  return {
    transcript: { ...identified, cuesKey: packedCues.key, cachedAt, cueCount: cues.length },
    rendered,
    objects: rendered ? [packedCues, rendered.packed] : [packedCues],
  };
}

/** What is saved of a track; null for one that is not new. */
export function deliveryOf(
  fetch: Fetch,
  { inspection, choice, track, cachedId }: Omit<ObtainedTrack, 'cues'>,
  packed: Omit<PackedTrack, 'objects'> | null,
  now: Date,
): Omit<Delivery, 'reportedTo'> {
  const { isFallback, translation } = choice;
  const expiresAt = translation === 'refused' ? new Date(now.getTime() + REFUSAL_MEMORY_MS) : null;
  return {
    fetch,
    inspected: { video: inspection.video, tracks: publicTracks(inspection.tracks) },
    track,
    selection: { isFallback, translation, available: languagesOf(inspection.tracks), expiresAt },
    transcript: packed?.transcript ?? null,
    file: packed?.rendered?.file ?? null,
    cachedId,
    now,
  };
}

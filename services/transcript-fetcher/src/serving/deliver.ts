import {
  type DeliveredTranscript,
  LARGEST_PROJECTED_FILE,
  type TranscriptSelection,
  type TranslationOutcome,
  transcriptFetcher,
  type VideoDetails,
} from '@tds/contracts';
import type { Deps } from '../deps.ts';
import type { CachedTranscript, RenderedFile } from '../domain/transcript.ts';
import type { CacheEntry } from '../store/cache.ts';
import { loadRendered, renderAndKeep } from './rendered-files.ts';

export type Deliverable = {
  readonly transcript: CachedTranscript;
  readonly isFallback: boolean;
  readonly translation: TranslationOutcome;
};
type Ready = { readonly video: VideoDetails; readonly file: RenderedFile; readonly body: Buffer | null };

/** A rendered transcript as callers are told of it. */
export const headOf = (
  wanted: TranscriptSelection,
  { transcript, isFallback, translation }: Deliverable,
  { video, file: { objectKey, bytes, sha256 } }: Omit<Ready, 'body'>,
): DeliveredTranscript => ({
  state: 'delivered',
  cache: 'HIT',
  creditsCharged: 0,
  video,
  language: {
    requested: wanted.language,
    delivered: transcript.languageCode,
    kind: transcript.kind,
    fallback: isFallback,
    translation,
  },
  format: wanted.format,
  fetchedAt: transcript.cachedAt.toISOString(),
  ...{ objectKey, bytes, sha256 },
});

/**
 * Leaves what a selection leads to in the projection, where the gateway reads it now and serves the next callers from. A
 * file that is not given is large: it is read from the object store.
 */
export async function project(
  { kit: { bodies } }: Deps,
  { fallback }: Pick<TranscriptSelection, 'fallback'>,
  head: DeliveredTranscript,
  file: Buffer | null,
): Promise<void> {
  const { video, language, format, bytes, sha256 } = head;
  // A refusal may end at any time, so it is answered from the table, where it expires.
  if (language.translation === 'refused') return;
  await bodies.write(
    transcriptFetcher.renderedSelection,
    [video.id, language.requested, String(fallback), format],
    head,
    {
      projection: transcriptFetcher.renderedFile,
      keyParts: [sha256],
      body: bytes > LARGEST_PROJECTED_FILE ? null : file,
    },
  );
}

/** Hands a cached transcript over in the wanted format: renders it where nobody has. */
export async function deliver(
  deps: Deps,
  wanted: TranscriptSelection,
  deliverable: Deliverable,
  known: CacheEntry,
): Promise<DeliveredTranscript> {
  const isSame = known.transcript?.id === deliverable.transcript.id;
  const rendered = isSame ? known.rendered : null;
  const { video } = known;
  const { file, body } = await fileOf(deps, wanted, deliverable.transcript, { video, rendered });
  const head = headOf(wanted, deliverable, { video, file });
  await project(deps, wanted, head, body);
  return head;
}

const fileOf = async (
  { db, kit: { objects } }: Deps,
  { format }: TranscriptSelection,
  transcript: CachedTranscript,
  { rendered, video }: Pick<CacheEntry, 'rendered' | 'video'>,
): Promise<Omit<Ready, 'video'>> => {
  if (rendered && rendered.bytes > LARGEST_PROJECTED_FILE && (await objects.stat(rendered.objectKey)))
    return { file: rendered, body: null };
  const body = rendered && (await loadRendered(objects, rendered));
  if (rendered && body) return { file: rendered, body };
  return await renderAndKeep({ db, objects }, { transcript, video, format });
};

import {
  type DeliveredTranscript,
  LARGEST_PROJECTED_FILE,
  type TranscriptSelection,
  transcriptFetcher,
} from '@tds/contracts';
import type { Deps } from '../deps.ts';
import type { Choice, Hit } from '../domain/known.ts';
import type { CachedTranscript, KeptFile } from '../domain/transcript.ts';
import { loadRendered, renderAndKeep } from './transcript-files.ts';

/** A rendered transcript as callers are told of it. */
export const describe = (
  wanted: TranscriptSelection,
  transcript: CachedTranscript,
  { isFallback, translation }: Choice,
  { objectKey, bytes, sha256 }: KeptFile,
): DeliveredTranscript => ({
  state: 'delivered',
  cache: 'HIT',
  creditsCharged: 0,
  video: transcript.video,
  language: {
    requested: wanted.language,
    delivered: transcript.languageCode,
    kind: transcript.kind,
    fallback: isFallback,
    translation,
  },
  format: wanted.format,
  fetchedAt: transcript.cachedAt.toISOString(),
  objectKey,
  bytes,
  sha256,
});

/**
 * Leaves what a selection leads to in the projection, from which the gateway answers this caller and the next ones. A file
 * that is not given is large: it is read from the object store.
 */
export async function project(
  { bodies }: Pick<Deps, 'bodies'>,
  { fallback }: Pick<TranscriptSelection, 'fallback'>,
  delivered: DeliveredTranscript,
  file: Buffer | null,
): Promise<void> {
  const { video, language, format, bytes, sha256 } = delivered;
  // A refusal may end at any time, so it is answered from the table, where it expires.
  if (language.translation === 'refused') return;
  await bodies.write(
    transcriptFetcher.renderedSelection,
    [video.id, language.requested, String(fallback), format],
    delivered,
    {
      projection: transcriptFetcher.renderedFile,
      keyParts: [sha256],
      body: bytes > LARGEST_PROJECTED_FILE ? null : file,
    },
  );
}

type Needed = Pick<Deps, 'db' | 'objects' | 'files' | 'bodies'>;

/** Hands a cached transcript over in the wanted format: renders it if nobody has. */
export async function deliver(
  deps: Needed,
  wanted: TranscriptSelection,
  { transcript, choice, file: kept }: Hit,
): Promise<DeliveredTranscript> {
  const { file, body } =
    (kept && (await findRendered(deps, kept))) ?? (await renderAndKeep(deps, transcript, wanted.format));
  const delivered = describe(wanted, transcript, choice, file);
  await project(deps, wanted, delivered, body);
  return delivered;
}

/** Null if the object store has lost it. One that is too large for the projection is not read. */
async function findRendered(
  { objects }: Needed,
  file: KeptFile,
): Promise<{ file: KeptFile; body: Buffer | null } | null> {
  if (file.bytes > LARGEST_PROJECTED_FILE && (await objects.stat(file.objectKey)))
    return { file, body: null };
  const body = await loadRendered(objects, file);
  return body && { file, body };
}

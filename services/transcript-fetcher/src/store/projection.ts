import { createHash } from 'node:crypto';
import type { Bodies } from '@tds/base';
import {
  type DeliveredTranscript,
  MAX_PROJECTED_FILE_BYTES,
  storedFormat,
  type TranscriptSelection,
  transcriptFetcher,
  videoSummary,
} from '@tds/contracts';

type ProjectionDeps = { readonly bodies: Bodies };

const sha256Of = (data: Buffer): string => createHash('sha256').update(data).digest('hex');

/** Writes a transcript to the projection from which the gateway answers. The gateway reads a large file (null) from the object store. */
export async function project(
  { bodies }: ProjectionDeps,
  { fallback }: Pick<TranscriptSelection, 'fallback'>,
  delivered: DeliveredTranscript,
  file: Buffer | null,
): Promise<void> {
  const { video, language, format, bytes, sha256 } = delivered;
  const details = Buffer.from(JSON.stringify(video));
  // A refusal may end at any time, so only the table answers it, where it expires.
  if (language.translation === 'refused') return;
  await bodies.write(
    transcriptFetcher.renderedSelection,
    [video.id, language.requested, String(fallback), format],
    { ...delivered, video: videoSummary.parse(video) },
    {
      projection: transcriptFetcher.renderedFile,
      keyParts: [sha256],
      body: bytes > MAX_PROJECTED_FILE_BYTES ? null : file,
    },
    { projection: transcriptFetcher.transcriptVideo, keyParts: [sha256Of(details)], body: details },
  );
}

/** Makes what gateways answer from the cache be asked for anew. */
export const forgetProjection = async (
  { bodies }: ProjectionDeps,
  { videoId, language }: Pick<TranscriptSelection, 'videoId' | 'language'>,
): Promise<void> => {
  const keys = ['true', 'false'].flatMap((fallback) =>
    storedFormat.options.map((format) => [videoId, language, fallback, format] as const),
  );
  await Promise.all(keys.map((key) => bodies.forget(transcriptFetcher.renderedSelection, [...key])));
};

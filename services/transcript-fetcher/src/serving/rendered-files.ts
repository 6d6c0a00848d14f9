import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { crc32, deflateRaw, inflateRaw } from 'node:zlib';
import { type Cue, serviceError, type TranscriptFormat, type VideoDetails } from '@tds/contracts';
import type { Objects } from '@tds/service-kit';
import { renderTranscript } from '@tds/transcript-format';
import type { CachedTranscript, RenderedFile } from '../domain/transcript.ts';
import type { Database } from '../store/database.ts';
import { saveRenderedFile } from '../store/transcripts.ts';

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

type Stores = { readonly db: Database; readonly objects: Objects };
type Rendering = {
  readonly transcript: CachedTranscript;
  readonly video: VideoDetails;
  readonly format: TranscriptFormat;
};
export type RenderedBody = { readonly file: RenderedFile; readonly body: Buffer };

/** Saves canonical cues under the hash of their content; answers the key. */
export async function storeCues(objects: Objects, cues: readonly Cue[]): Promise<string> {
  const json = Buffer.from(JSON.stringify(cues));
  const key = `cues/${createHash('sha256').update(json).digest('hex')}`;
  await objects.put(key, await deflate(json));
  return key;
}

async function loadCues(objects: Objects, key: string): Promise<Cue[]> {
  const packed = await objects.getBytes(key);
  if (!packed) throw serviceError('cache_object_missing');
  return JSON.parse((await inflate(packed)).toString());
}

/** Reads a file that was rendered before; null where the object store has lost it. */
export async function loadRendered(objects: Objects, file: RenderedFile): Promise<RenderedBody | null> {
  const packed = await objects.getBytes(file.objectKey);
  return packed && { file, body: await inflate(packed) };
}

/** Renders a cached transcript in one format and keeps the file; the same input gives the same bytes for ever. */
export async function renderAndStore(
  { db, objects }: Stores,
  { transcript, video, format }: Rendering,
  cues?: readonly Cue[],
): Promise<RenderedBody> {
  const language = { delivered: transcript.languageCode, kind: transcript.kind };
  const body = Buffer.from(
    renderTranscript(
      { cues: cues ?? (await loadCues(objects, transcript.cuesKey)), video, language },
      format,
    ),
  );
  const file = {
    objectKey: `rendered/${transcript.id}/${format}`,
    bytes: body.length,
    sha256: createHash('sha256').update(body).digest('hex'),
  };
  await objects.put(file.objectKey, await deflate(body));
  await saveRenderedFile(db, { transcriptId: transcript.id, format }, { ...file, crc32: crc32(body) });
  return { file, body };
}

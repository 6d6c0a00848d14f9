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
  readonly transcript: Pick<CachedTranscript, 'id' | 'languageCode' | 'kind'>;
  readonly video: VideoDetails;
  readonly format: TranscriptFormat;
};
export type RenderedBody = {
  readonly file: RenderedFile & { readonly crc32: number };
  readonly body: Buffer;
};

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
export async function loadRendered(objects: Objects, { objectKey }: RenderedFile): Promise<Buffer | null> {
  const packed = await objects.getBytes(objectKey);
  return packed && (await inflate(packed));
}

/** Renders a transcript in one format and stores the file; the same input gives the same bytes for ever. */
export async function storeRendered(
  objects: Objects,
  { transcript, video, format }: Rendering,
  cues: readonly Cue[],
): Promise<RenderedBody> {
  const language = { delivered: transcript.languageCode, kind: transcript.kind };
  const body = Buffer.from(renderTranscript({ cues, video, language }, format));
  const objectKey = `rendered/${transcript.id}/${format}`;
  await objects.put(objectKey, await deflate(body));
  const sha256 = createHash('sha256').update(body).digest('hex');
  return { file: { objectKey, bytes: body.length, sha256, crc32: crc32(body) }, body };
}

/** Renders a cached transcript in one more format and keeps the file. */
export async function renderAndKeep(
  { db, objects }: Stores,
  { transcript, video, format }: Rendering & { transcript: CachedTranscript },
): Promise<RenderedBody> {
  const cues = await loadCues(objects, transcript.cuesKey);
  const rendered = await storeRendered(objects, { transcript, video, format }, cues);
  await saveRenderedFile(db, { transcriptId: transcript.id, format }, rendered.file);
  return rendered;
}

import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { crc32, deflateRaw, deflateRawSync, inflateRaw, type ZlibOptions } from 'node:zlib';
import { type Cue, serviceError, type TranscriptFormat, type VideoDetails } from '@tds/contracts';
import type { Objects } from '@tds/service-kit';
import { renderTranscript } from '@tds/transcript-format';
import type { CachedTranscript, RenderedFile } from '../domain/transcript.ts';
import type { Database } from '../store/database.ts';
import { saveRenderedFile } from '../store/transcripts.ts';

const deflateWith = promisify<Buffer, ZlibOptions, Buffer>(deflateRaw);
const inflate = promisify(inflateRaw);

const SMALLEST_WINDOW = 9;
const LARGEST_WINDOW = 15;

/** Up to here (bytes) compressing takes less time than handing it to another thread and back. */
const QUICKLY_COMPRESSED = 16 * 1_024;

/**
 * Compresses in a window as large as the data. The usual one takes 256 KiB for a text of a few, which counts as garbage of
 * this process: its collector then ran through the whole heap once per hundred transcripts.
 */
const deflate = async (data: Buffer): Promise<Buffer> => {
  const needed = Math.ceil(Math.log2(data.length + 1));
  const windowBits = Math.min(LARGEST_WINDOW, Math.max(SMALLEST_WINDOW, needed));
  // As zlib's own defaults stand to each other.
  const options = { windowBits, memLevel: windowBits - 7 };
  return data.length <= QUICKLY_COMPRESSED ? deflateRawSync(data, options) : await deflateWith(data, options);
};

const RETRY_AFTER_SECONDS = 2;

type Stores = { readonly db: Database; readonly objects: Objects };
type Rendering = {
  readonly transcript: Pick<CachedTranscript, 'id' | 'languageCode' | 'kind'>;
  readonly video: VideoDetails;
  readonly format: TranscriptFormat;
};
type Packed = { readonly key: string; readonly data: Buffer };
export type RenderedBody = {
  readonly file: RenderedFile & { readonly crc32: number };
  readonly body: Buffer;
  /** The file as it is to be stored. */
  readonly packed: Packed;
};

/** Canonical cues as they are to be stored: under the hash of their content. */
export async function packCues(cues: readonly Cue[]): Promise<Packed> {
  const json = Buffer.from(JSON.stringify(cues));
  const key = `cues/${createHash('sha256').update(json).digest('hex')}`;
  return { key, data: await deflate(json) };
}

async function loadCues(objects: Objects, key: string): Promise<Cue[]> {
  const packed = await objects.getBytes(key);
  if (!packed) throw serviceError('cache_object_missing', { retryAfterSeconds: RETRY_AFTER_SECONDS });
  return JSON.parse((await inflate(packed)).toString());
}

/** Reads a file that was rendered before; null where the object store has lost it. */
export async function loadRendered(objects: Objects, { objectKey }: RenderedFile): Promise<Buffer | null> {
  const packed = await objects.getBytes(objectKey);
  return packed && (await inflate(packed));
}

/** Renders a transcript in one format; the same input gives the same bytes for ever. */
export async function render(
  { transcript, video, format }: Rendering,
  cues: readonly Cue[],
): Promise<RenderedBody> {
  const language = { delivered: transcript.languageCode, kind: transcript.kind };
  const body = Buffer.from(renderTranscript({ cues, video, language }, format));
  const objectKey = `rendered/${transcript.id}/${format}`;
  const sha256 = createHash('sha256').update(body).digest('hex');
  const file = { objectKey, bytes: body.length, sha256, crc32: crc32(body) };
  return { file, body, packed: { key: objectKey, data: await deflate(body) } };
}

/** Renders a cached transcript in one more format and keeps the file. */
export async function renderAndKeep(
  { db, objects }: Stores,
  { transcript, video, format }: Rendering & { transcript: CachedTranscript },
): Promise<RenderedBody> {
  const cues = await loadCues(objects, transcript.cuesKey);
  const rendered = await render({ transcript, video, format }, cues);
  await objects.put(rendered.packed.key, rendered.packed.data);
  await saveRenderedFile(db, { transcriptId: transcript.id, format }, rendered.file);
  return rendered;
}

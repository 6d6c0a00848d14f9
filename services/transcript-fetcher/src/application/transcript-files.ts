import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { crc32, deflateRaw, deflateRawSync, inflateRaw, type ZlibOptions } from 'node:zlib';
import { type Cue, serviceError, type TranscriptFormat } from '@tds/contracts';
import type { Objects } from '@tds/service-kit';
import { renderTranscript } from '@tds/transcript-format';
import type { Deps } from '../deps.ts';
import type { CachedTranscript, KeptFile } from '../domain/transcript.ts';
import { findRenderedKeys, moveCues, saveRenderedFile } from '../store/transcripts.ts';
import type { Packed, RenderedBody } from './ended-fetch.ts';

const deflateWith = promisify<Buffer, ZlibOptions, Buffer>(deflateRaw);
const inflate = promisify(inflateRaw);

const SMALLEST_WINDOW = 9;
const LARGEST_WINDOW = 15;

/** Up to here (bytes) compressing takes less time than handing it to another thread and back. */
const QUICKLY_COMPRESSED = 16 * 1_024;

/**
 * Compresses in a window as large as the data. The default one takes 256 KiB for a text of a few KiB, which is garbage
 * afterwards: with it the collector ran through the whole heap once per hundred transcripts.
 */
const deflate = async (data: Buffer): Promise<Buffer> => {
  const needed = Math.ceil(Math.log2(data.length + 1));
  const windowBits = Math.min(LARGEST_WINDOW, Math.max(SMALLEST_WINDOW, needed));
  // In the proportion of zlib's own defaults.
  const options = { windowBits, memLevel: windowBits - 7 };
  return data.length <= QUICKLY_COMPRESSED ? deflateRawSync(data, options) : await deflateWith(data, options);
};

const RETRY_AFTER_SECONDS = 2;

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

/** Reads a file that was rendered before; null if the object store has lost it. */
export async function loadRendered(objects: Objects, { objectKey }: KeptFile): Promise<Buffer | null> {
  const packed = await objects.getBytes(objectKey);
  return packed && (await inflate(packed));
}

type Rendered = Pick<CachedTranscript, 'id' | 'languageCode' | 'kind' | 'video'>;

/** Renders a transcript in one format; the same input gives the same bytes for ever. */
export async function render(
  { id, languageCode, kind, video }: Rendered,
  format: TranscriptFormat,
  cues: readonly Cue[],
): Promise<RenderedBody> {
  const language = { delivered: languageCode, kind };
  const body = Buffer.from(renderTranscript({ cues, video, language }, format));
  const objectKey = `rendered/${id}/${format}`;
  const sha256 = createHash('sha256').update(body).digest('hex');
  const file = { format, objectKey, bytes: body.length, sha256, crc32: crc32(body) };
  return { file, body, packed: { key: objectKey, data: await deflate(body) } };
}

type Stores = Pick<Deps, 'db' | 'objects'>;

/** Renders a cached transcript in one more format and keeps the file. */
export async function renderAndKeep(
  { db, objects }: Stores,
  transcript: CachedTranscript,
  format: TranscriptFormat,
): Promise<RenderedBody> {
  const cues = await loadCues(objects, transcript.cuesKey);
  const rendered = await render(transcript, format, cues);
  await objects.put(rendered.packed.key, rendered.packed.data);
  await saveRenderedFile(db, transcript.id, rendered.file);
  return rendered;
}

/**
 * Stores the cues of a transcript that had been lost. If the platform's track has changed since, its files go: all formats
 * come from the same cues. Objects go before their rows, so that a repeat after a crash finds what is left to do.
 */
export async function restoreCues(
  { db, objects }: Stores,
  transcriptId: string,
  cues: readonly Cue[],
): Promise<void> {
  const { key, data } = await packCues(cues);
  await objects.put(key, data);
  for (const stale of await findRenderedKeys(db, transcriptId, { unlessCuesKey: key })) {
    await objects.delete(stale);
  }
  await moveCues(db, transcriptId, key);
}

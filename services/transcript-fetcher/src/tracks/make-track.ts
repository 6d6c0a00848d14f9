import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { crc32, deflateRaw, deflateRawSync, type ZlibOptions } from 'node:zlib';
import type { Cue, StoredFormat } from '@tds/contracts';
import type { NewObject } from '@tds/objects';
import { normalizeCues, RENDERERS, renderTranscript, withoutWords } from '@tds/transcript-format';
// Not the whole adapter: a thread starts four times as fast without it.
import { type CaptionReading, readCaptions, wordlessCaptions } from '@tds/video-platform/captions';
import type { CachedTranscript, KeptFile } from '../domain/transcript.ts';
import { measureText, type TextMeasures } from './domain/text-measures.ts';

/** Runs in threads for large tracks and on the event loop for others, so arguments and results are plain data. */

const deflateWith = promisify<Buffer, ZlibOptions, Buffer>(deflateRaw);

const MIN_WINDOW = 9;
const MAX_WINDOW = 15;

/** Up to this size (bytes) compressing takes less time than a round trip to a thread. */
const MAX_SYNC_BYTES = 16 * 1_024;

/**
 * Compresses in a window as large as the data. The default window allocates 256 KiB for a text of a few KiB, which caused a full garbage
 * collection per hundred transcripts.
 */
const deflate = async (data: Buffer): Promise<Buffer> => {
  const minBits = Math.ceil(Math.log2(data.length + 1));
  const windowBits = Math.min(MAX_WINDOW, Math.max(MIN_WINDOW, minBits));
  // In the proportion of zlib's own defaults.
  const options = { windowBits, memLevel: windowBits - 7 };
  return data.length <= MAX_SYNC_BYTES ? deflateRawSync(data, options) : await deflateWith(data, options);
};

export type PackedObject = NewObject & { readonly data: Buffer };
export type RenderedBody = {
  readonly file: KeptFile;
  readonly body: Buffer;
  /** The compressed file for storage. */
  readonly packed: PackedObject;
};

/** Packs cues for storage under the hash of their content. */
export async function packCues(cues: readonly Cue[]): Promise<PackedObject> {
  const json = Buffer.from(JSON.stringify(cues));
  const key = `cues/${createHash('sha256').update(json).digest('hex')}`;
  return { key, data: await deflate(json) };
}

export type FileRequest = {
  readonly transcript: Pick<CachedTranscript, 'id' | 'languageCode' | 'kind' | 'video'>;
  readonly format: StoredFormat;
};

/** It names the renderer, so that a file of another one is known. */
export const renderedKeyOf = ({ transcript: { id }, format }: FileRequest): string =>
  `rendered/${id}/${format}.${RENDERERS[format]}`;

/** Renders a transcript in one format. The same input gives the same bytes for ever. */
export async function render(request: FileRequest, cues: readonly Cue[]): Promise<RenderedBody> {
  const { transcript, format } = request;
  const { languageCode, kind, video } = transcript;
  const language = { delivered: languageCode, kind };
  const body = Buffer.from(renderTranscript({ cues, video, language }, format));
  const objectKey = renderedKeyOf(request);
  const sha256 = createHash('sha256').update(body).digest('hex');
  const file = { format, objectKey, bytes: body.length, sha256, crc32: crc32(body) };
  return { file, body, packed: { key: objectKey, data: await deflate(body) } };
}

type StoredCues = { readonly cues: Uint8Array; readonly request: FileRequest };

/** Renders stored cues, inflated. */
export const renderStored = async ({ cues, request }: StoredCues): Promise<RenderedBody> => {
  const json = Buffer.from(cues.buffer, cues.byteOffset, cues.byteLength).toString();
  return await render(request, JSON.parse(json));
};

/** A track for storage: its cues and the first wanted file. */
export type MadeTrack = {
  readonly cues: PackedObject;
  readonly measures: TextMeasures;
  readonly rendered: RenderedBody;
};

type Captions = { readonly body: string; readonly request: FileRequest };

/** Makes a track from the platform's captions. */
export const makeTrack = async ({ body, request }: Captions): Promise<CaptionReading<MadeTrack>> => {
  const reading = readCaptions(body);
  if (reading.kind === 'refused') return reading;
  // Parts of written captions may have times too, but they are no words.
  const cues = request.transcript.kind === 'asr' ? reading.value : reading.value.map(withoutWords);
  const normalized = normalizeCues(cues);
  if (normalized.length === 0) return wordlessCaptions;
  const [packed, rendered] = await Promise.all([packCues(normalized), render(request, normalized)]);
  return { ...reading, value: { cues: packed, measures: measureText(normalized), rendered } };
};

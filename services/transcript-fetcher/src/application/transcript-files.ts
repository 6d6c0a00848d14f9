import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import { serviceError, type TranscriptFormat } from '@tds/contracts';
import type { Objects } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import type { CachedTranscript, KeptFile } from '../domain/transcript.ts';
import { findRenderedKeys, moveCues, saveRenderedFile } from '../store/transcripts.ts';
import type { Packed, RenderedBody } from './ended-fetch.ts';

const inflate = promisify(inflateRaw);

const RETRY_AFTER_SECONDS = 2;

/** As they are stored, inflated. */
async function loadCues(objects: Objects, key: string): Promise<Buffer> {
  const packed = await objects.getBytes(key);
  if (!packed) throw serviceError('cache_object_missing', { retryAfterSeconds: RETRY_AFTER_SECONDS });
  return await inflate(packed);
}

/** Reads a file that was rendered before; null if the object store has lost it. */
export async function loadRendered(objects: Objects, { objectKey }: KeptFile): Promise<Buffer | null> {
  const packed = await objects.getBytes(objectKey);
  return packed && (await inflate(packed));
}

type Stores = Pick<Deps, 'db' | 'objects'>;

/** Renders a cached transcript in one more format and keeps the file. */
export async function renderAndKeep(
  { db, objects, files }: Stores & Pick<Deps, 'files'>,
  transcript: CachedTranscript,
  format: TranscriptFormat,
): Promise<RenderedBody> {
  const cues = await loadCues(objects, transcript.cuesKey);
  const rendered = await files.render(cues, { transcript, format });
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
  { key, data }: Packed,
): Promise<void> {
  await objects.put(key, data);
  for (const stale of await findRenderedKeys(db, transcriptId, { unlessCuesKey: key })) {
    await objects.delete(stale);
  }
  await moveCues(db, transcriptId, key);
}

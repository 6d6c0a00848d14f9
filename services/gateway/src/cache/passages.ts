import { Buffer } from 'node:buffer';
import { serviceError } from '@tds/errors';
import type { Kit } from '@tds/kit';
import { LRUCache } from 'lru-cache';
import { Piscina } from 'piscina';
import type { Surface } from '../surface.ts';
import { type PassageRequest, writePassages } from './list-passages.ts';
import type { TranscriptEntry } from './transcript-memory.ts';

/** Bytes. The passages of a smaller file take some milliseconds; those of larger ones are listed in a thread. */
export const MAX_BYTES_ON_LOOP = 128 * 1_024;
const MAX_THREADS = 2;
/** An idle thread ends after this time. */
const IDLE_MS = 60_000;
/** MiB of heap per thread. */
const MAX_MEMORY = 512;
/** More wait for no thread. */
const MAX_WAITING = 64;
const LIST_MS = 30_000;
const RETRY_AFTER_SECONDS = 5;

const MEMORY_BYTES = 32 * 1_024 * 1_024;
const KEPT_MS = 10 * 60_000;

type SizedBody = { readonly maxCharacters: number; readonly body: Buffer };
type RunningBody = { readonly maxCharacters: number; readonly body: Promise<Buffer> };

const createThreads = () =>
  new Piscina({
    filename: new URL('list-passages.ts', import.meta.url).href,
    name: 'writePassages',
    minThreads: 0,
    maxThreads: MAX_THREADS,
    maxQueue: MAX_WAITING,
    idleTimeout: IDLE_MS,
    recordTiming: false,
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY },
  });

/** A buffer from a thread arrives as a Uint8Array. */
const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** The JSON wrapper of a transcript with its passages beside the cues. */
const wrapPassages = ({ wrapped }: TranscriptEntry, passages: Buffer): Buffer =>
  Buffer.concat([wrapped.subarray(0, -1), Buffer.from(',"passages":'), passages, Buffer.from('}')]);

/** The passages of transcripts in the format json. An entry keeps those of the size that was asked for last. */
export const createPassages = ({ onStop }: Pick<Kit<Surface>, 'onStop'>) => {
  const threads = createThreads();
  onStop('passages', () => threads.destroy());
  const cache = new LRUCache<TranscriptEntry, SizedBody>({
    maxSize: MEMORY_BYTES,
    maxEntrySize: MEMORY_BYTES / 4,
    // The body and its compressed encodings; the entry may live only here.
    sizeCalculation: ({ body }, { raw }) => 2 * body.length + 3 * raw.length,
    ttl: KEPT_MS,
  });
  const running = new WeakMap<TranscriptEntry, RunningBody>();

  const list = async (request: PassageRequest): Promise<Buffer> => {
    if (request.file.length <= MAX_BYTES_ON_LOOP) return asBuffer(writePassages(request));
    try {
      return asBuffer(await threads.run(request, { signal: AbortSignal.timeout(LIST_MS) }));
    } catch (cause) {
      throw serviceError('service_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });
    }
  };

  const compose = async (entry: TranscriptEntry, maxCharacters: number): Promise<Buffer> => {
    const passages = await list({ file: entry.raw, video: entry.head.video, maxCharacters });
    const body = wrapPassages(entry, passages);
    cache.set(entry, { maxCharacters, body });
    return body;
  };

  return {
    /** The passages of a file in the format json, as JSON. */
    list,
    /** The answer to a reader of a transcript in the format json: the same Buffer as long as it is kept. */
    async wrap(entry: TranscriptEntry, maxCharacters: number): Promise<Buffer> {
      const [cached, inFlight] = [cache.get(entry), running.get(entry)];
      if (cached?.maxCharacters === maxCharacters) return cached.body;
      if (inFlight?.maxCharacters === maxCharacters) return await inFlight.body;
      const body = compose(entry, maxCharacters);
      running.set(entry, { maxCharacters, body });
      try {
        return await body;
      } finally {
        if (running.get(entry)?.body === body) running.delete(entry);
      }
    },
  };
};
export type Passages = ReturnType<typeof createPassages>;

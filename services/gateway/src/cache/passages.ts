import { Buffer } from 'node:buffer';
import { serviceError } from '@tds/errors';
import type { Kit } from '@tds/kit';
import { LRUCache } from 'lru-cache';
import { Piscina } from 'piscina';
import type { Surface } from '../surface.ts';
import { type PassageRequest, writePassages } from './list-passages.ts';
import { type TranscriptEntry, wrapMembers } from './transcript-memory.ts';
import { type LinkText, type LinkTextRequest, writeLinkText } from './write-link-text.ts';

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

/** What a reader chooses. */
type PassageForm = Pick<PassageRequest, 'maxCharacters' | 'words'>;
type FormedBody = { readonly form: PassageForm; readonly body: Buffer };
type RunningBody = { readonly form: PassageForm; readonly body: Promise<Buffer> };

const isSame = (one: PassageForm, other: PassageForm): boolean =>
  one.maxCharacters === other.maxCharacters && one.words === other.words;

/** A function of a module that is named as itself, which writes a file anew. */
type Writer<Request> = { readonly module: URL; readonly write: (request: Request) => Uint8Array };
const passageWriter = { module: new URL('list-passages.ts', import.meta.url), write: writePassages };
const linkWriter = { module: new URL('write-link-text.ts', import.meta.url), write: writeLinkText };

const createThreads = () =>
  new Piscina({
    filename: passageWriter.module.href,
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

/** Runs a writer, for large files in a thread. Throws `service_unavailable` if that fails. */
const createRun =
  (threads: Piscina) =>
  async <Request extends { readonly file: Uint8Array }>(
    { module, write }: Writer<Request>,
    request: Request,
  ): Promise<Buffer> => {
    if (request.file.length <= MAX_BYTES_ON_LOOP) return asBuffer(write(request));
    const options = { filename: module.href, name: write.name, signal: AbortSignal.timeout(LIST_MS) };
    try {
      return asBuffer(await threads.run(request, options));
    } catch (cause) {
      throw serviceError('service_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });
    }
  };

/** The passages of transcripts in the format words. An entry keeps those of the form that was asked for last. */
export const createPassages = ({ onStop }: Pick<Kit<Surface>, 'onStop'>) => {
  const threads = createThreads();
  onStop('passages', () => threads.destroy());
  const cache = new LRUCache<TranscriptEntry, FormedBody>({
    maxSize: MEMORY_BYTES,
    maxEntrySize: MEMORY_BYTES / 4,
    // The body and its compressed encodings; the entry may live only here.
    sizeCalculation: ({ body }, { raw }) => 2 * body.length + 3 * raw.length,
    ttl: KEPT_MS,
  });
  const running = new WeakMap<TranscriptEntry, RunningBody>();

  const run = createRun(threads);
  const list = (request: PassageRequest): Promise<Buffer> => run(passageWriter, request);

  const compose = async (entry: TranscriptEntry, form: PassageForm): Promise<Buffer> => {
    const { video, language } = entry.head;
    const members = await list({ file: entry.raw, language: language.delivered, video, ...form });
    const body = wrapMembers(entry.head, members);
    cache.set(entry, { form, body });
    return body;
  };

  return {
    /** The cues and the passages of a file, as two members of a JSON object. */
    list,
    /** What a link shows of a file in the format json. */
    writeLink: async (request: LinkTextRequest): Promise<LinkText> =>
      JSON.parse((await run(linkWriter, request)).toString()),
    /** The answer to a reader of a transcript in the format words: the same Buffer as long as it is kept. */
    async wrap(entry: TranscriptEntry, form: PassageForm): Promise<Buffer> {
      const [cached, inFlight] = [cache.get(entry), running.get(entry)];
      if (cached && isSame(cached.form, form)) return cached.body;
      if (inFlight && isSame(inFlight.form, form)) return await inFlight.body;
      const body = compose(entry, form);
      running.set(entry, { form, body });
      try {
        return await body;
      } finally {
        if (running.get(entry)?.body === body) running.delete(entry);
      }
    },
  };
};
export type Passages = ReturnType<typeof createPassages>;

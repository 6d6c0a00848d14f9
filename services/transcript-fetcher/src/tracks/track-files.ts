import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import { expecting } from '@tds/base';
import { serviceError } from '@tds/errors';
import type { Objects } from '@tds/objects';
import { type CaptionReading, costlyCaptions } from '@tds/video-platform';
import { Piscina } from 'piscina';
import type { Deps } from '../deps.ts';
import type { CachedTranscript, KeptFile } from '../domain/transcript.ts';
import {
  type FileRequest,
  type MadeTrack,
  makeTrack,
  type PackedObject,
  type RenderedBody,
  renderedKeyOf,
  renderStored,
} from './make-track.ts';
import { findRenderedKeys, moveCues, saveRenderedFile } from './store/transcripts.ts';

/** Characters or bytes. The worst body of this size blocks the event loop for some hundredths of a second; larger ones go to a thread. */
export const MAX_BYTES_ON_LOOP = 128 * 1_024;

const MAX_THREADS = 2;
/** An idle thread ends after this time. */
const IDLE_MS = 60_000;
/** MiB of heap per thread. The largest accepted bodies need a quarter of it. */
const MAX_MEMORY = 512;
/** The time limit for work on a cached transcript. */
const THREAD_MS = 30_000;

/** Makes the files of tracks, those of large tracks in threads. */
export type TrackFiles = {
  /** From the platform's captions. If the signal fires, the thread ends. */
  make(body: string, request: FileRequest, signal: AbortSignal): Promise<CaptionReading<MadeTrack>>;
  /** From stored cues. */
  render(cues: Buffer, request: FileRequest): Promise<RenderedBody>;
  /** Runs a function of a module in a thread, on plain data. */
  runInThread<Result>(module: URL, name: string, input: object): Promise<Result>;
  stop(): Promise<void>;
};

/** A buffer from a thread arrives as a Uint8Array. */
const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);
const reviveObject = ({ key, data }: PackedObject): PackedObject => ({ key, data: asBuffer(data) });
const reviveFile = ({ file, body, packed }: RenderedBody): RenderedBody => ({
  file,
  body: asBuffer(body),
  packed: reviveObject(packed),
});
const reviveTrack = (track: MadeTrack): MadeTrack => ({
  ...track,
  cues: reviveObject(track.cues),
  rendered: reviveFile(track.rendered),
});

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

const createThreads = (maxMemory: number) =>
  new Piscina({
    filename: new URL('make-track.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: MAX_THREADS,
    idleTimeout: IDLE_MS,
    recordTiming: false,
    resourceLimits: { maxOldGenerationSizeMb: maxMemory },
  });

/** `maxMemory` in MiB per thread: a body that needs more is refused and ends only its thread. */
export const createTrackFiles = (maxMemory = MAX_MEMORY): TrackFiles => {
  const threads = createThreads(maxMemory);
  const makeInThread = async (
    input: Parameters<typeof makeTrack>[0],
    signal: AbortSignal,
  ): ReturnType<typeof makeTrack> => {
    const running: Promise<CaptionReading<MadeTrack>> = threads.run(input, { name: 'makeTrack', signal });
    const reading = await running.catch(expecting(isOutOfMemory, costlyCaptions));
    return reading.kind === 'read' ? { ...reading, value: reviveTrack(reading.value) } : reading;
  };
  return {
    make: (body, request, signal) =>
      body.length <= MAX_BYTES_ON_LOOP ? makeTrack({ body, request }) : makeInThread({ body, request }, signal),
    async render(cues, request) {
      if (cues.length <= MAX_BYTES_ON_LOOP) return await renderStored({ cues, request });
      const signal = AbortSignal.timeout(THREAD_MS);
      return reviveFile(await threads.run({ cues, request }, { name: 'renderStored', signal }));
    },
    runInThread: (module, name, input) =>
      threads.run(input, { filename: module.href, name, signal: AbortSignal.timeout(THREAD_MS) }),
    stop: () => threads.destroy(),
  };
};

const inflate = promisify(inflateRaw);

const RETRY_AFTER_SECONDS = 2;

const missingError = () => serviceError('cache_object_missing', { retryAfterSeconds: RETRY_AFTER_SECONDS });

export async function loadCues(objects: Objects, key: string): Promise<Buffer> {
  const packed = await objects.getBytes(key);
  if (!packed) throw missingError();
  return await inflate(packed);
}

/** Reads a rendered file; null if the object store has lost it. */
export async function loadRendered(objects: Objects, { objectKey }: KeptFile): Promise<Buffer | null> {
  const packed = await objects.getBytes(objectKey);
  return packed && (await inflate(packed));
}

export type TrackDeps = Deps & { readonly files: TrackFiles };

type RenderInput = Pick<FileRequest, 'format'> & {
  readonly transcript: CachedTranscript;
  /** The lost file; null if there was none. */
  readonly file: Pick<KeptFile, 'objectKey'> | null;
};

/**
 * Renders a cached transcript in one format and stores the file. One of another renderer is left to its release: a selection has the same
 * bytes for ever.
 */
export async function renderAndStore(
  { db, objects, files }: TrackDeps,
  { transcript, format, file }: RenderInput,
): Promise<RenderedBody> {
  const ownKey = renderedKeyOf({ transcript, format });
  if (file !== null && file.objectKey !== ownKey) throw missingError();
  const cues = await loadCues(objects, transcript.cuesKey);
  const rendered = await files.render(cues, { transcript, format });
  await objects.put(rendered.packed.key, rendered.packed.data);
  if ((await saveRenderedFile(db, transcript.id, rendered.file)) !== ownKey) throw missingError();
  return rendered;
}

/**
 * Stores lost cues of a transcript again. If the platform's track has changed since, deletes its files: all formats come from the same
 * cues. Objects go before their rows, so that a repeat after a crash continues.
 */
export async function restoreCues(
  { db, objects }: Deps,
  transcriptId: string,
  { key, data }: PackedObject,
): Promise<void> {
  await objects.put(key, data);
  for (const staleKey of await findRenderedKeys(db, transcriptId, { unlessCuesKey: key })) {
    await objects.delete(staleKey);
  }
  await moveCues(db, transcriptId, key);
}

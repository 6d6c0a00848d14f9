import { Buffer } from 'node:buffer';
import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import { type Bodies, createSingleFlight } from '@tds/base';
import {
  type AnsweredTranscript,
  type DeliveredTranscript,
  MAX_PROJECTED_FILE_BYTES,
  type StoredFormat,
  storedFormat,
  type TranscriptFormat,
  type TranscriptSelection,
  transcriptFetcher,
  type VideoDetails,
} from '@tds/contracts';
import { serviceError } from '@tds/errors';
import type { Objects } from '@tds/objects';
import { attachmentFileName, contentDisposition, markdownFor, withFrontMatter } from '@tds/transcript-format';
import { LRUCache } from 'lru-cache';
import { memoize } from '../domain/memoize.ts';
import type { RedisGuard } from '../redis/index.ts';

/** The part that all deliveries of a rendered transcript share. */
type TranscriptHead = Pick<DeliveredTranscript, 'video' | 'language' | 'format' | 'fetchedAt'>;

/** How the format of a file is called in an answer. */
export const toPublicFormat = (format: StoredFormat): TranscriptFormat =>
  format === 'words' ? 'json' : format;

/** The JSON wrapper (`transcriptBody` of the contracts) around what is JSON already. */
export const wrapMembers = (
  { video, format, language, fetchedAt }: TranscriptHead,
  ...members: readonly (string | Uint8Array)[]
): Buffer => {
  const head = { ok: true, video, format: toPublicFormat(format), language, fetched_at: fetchedAt };
  const parts = [`${JSON.stringify(head).slice(0, -1)},`, ...members, '}'];
  return Buffer.concat(parts.map((part) => Buffer.from(part)));
};

/** A file in the format json is the array of cues itself, spliced in without parsing. */
const wrapTranscript = (head: TranscriptHead, raw: Buffer): Buffer =>
  toPublicFormat(head.format) === 'json'
    ? wrapMembers(head, '"cues":', raw)
    : wrapMembers(head, `"text":${JSON.stringify(raw.toString())}`);

/** A rendered transcript in memory; parts of answers are composed on first use. */
export class TranscriptEntry {
  readonly head: TranscriptHead;
  readonly raw: Buffer;
  #wrapped: Buffer | null = null;
  #disposition: string | null = null;
  #noted: TranscriptEntry | null = null;

  /** `raw`: the stored file, or the one for this caller. */
  constructor({ video, language, format, fetchedAt }: TranscriptHead, raw: Buffer, isForCaller = false) {
    this.head = { video, language, format, fetchedAt };
    const isShared = format === 'md' && !isForCaller;
    this.raw = isShared ? Buffer.from(markdownFor(raw.toString(), language)) : raw;
  }

  /** With front matter, if the format is md. */
  get noted(): TranscriptEntry {
    const { head, raw } = this;
    const note = () => Buffer.from(withFrontMatter(raw.toString(), head.video, head.language));
    this.#noted ??= new TranscriptEntry(head, note(), true);
    return this.#noted;
  }

  get wrapped(): Buffer {
    this.#wrapped ??= wrapTranscript(this.head, this.raw);
    return this.#wrapped;
  }

  get disposition(): string {
    const { video, language, format } = this.head;
    this.#disposition ??= contentDisposition(
      attachmentFileName(video, { language: language.delivered, format }),
    );
    return this.#disposition;
  }
}

/** A poll knows at most the format. */
type PartialSelection = {
  readonly [Part in keyof TranscriptSelection]?: TranscriptSelection[Part] | undefined;
};

/** Whether a transcript is the requested one, by its own head. */
export const isRequested = (
  { video, language, format }: Pick<TranscriptHead, 'video' | 'language' | 'format'>,
  selection: PartialSelection,
): boolean =>
  (selection.videoId ?? video.id) === video.id &&
  (selection.language ?? language.requested) === language.requested &&
  (selection.format ?? format) === format &&
  (selection.fallback !== false || !language.fallback);

/** Throws (answered as `unexpected_error`): a wrong transcript is never delivered and never kept. */
export function assertRequested(
  head: Pick<TranscriptHead, 'video' | 'language' | 'format'>,
  selection: PartialSelection,
): void {
  if (isRequested(head, selection)) return;
  const { video, language, format } = head;
  const actual = JSON.stringify({ videoId: video.id, language, format });
  throw new Error(`a transcript that was not requested: ${actual} for ${JSON.stringify(selection)}`);
}

const MEMORY_BYTES = 64 * 1024 * 1024;
/** The transcript may be fetched again with changed captions. */
const KEPT_MS = 10 * 60_000;
const ENTRY_OVERHEAD_BYTES = 2_048;

const toKey = memoize(
  ({ videoId, language, fallback, format }: TranscriptSelection) =>
    `${videoId}:${language}:${fallback}:${format}`,
);

/** Recently read transcripts, bounded by bytes. */
export const createTranscriptMemory = () => {
  const entries = new LRUCache<string, TranscriptEntry>({
    maxSize: MEMORY_BYTES,
    maxEntrySize: MEMORY_BYTES / 8,
    // The wrapper repeats cues as they are and text with up to two bytes per byte; both compressed encodings together
    // take about as much as the file, and a note as much as its entry. The description is in the head and the wrapper.
    sizeCalculation: ({ raw, head }) =>
      (head.format === 'json' ? 3 : head.format === 'md' ? 8 : 4) * raw.length +
      4 * (head.video.description?.length ?? 0) +
      ENTRY_OVERHEAD_BYTES,
    ttl: KEPT_MS,
  });
  return {
    get: (selection: TranscriptSelection) => entries.get(toKey(selection)),
    /** Throws if the transcript is not the one of this selection. */
    keep(selection: TranscriptSelection, entry: TranscriptEntry): void {
      assertRequested(entry.head, selection);
      // A refused translation may succeed later (specification, part 4), so do not keep it.
      if (entry.head.language.translation !== 'refused') entries.set(toKey(selection), entry);
    },
    /** In every format. */
    forget({ videoId, language }: TranscriptSelection): void {
      for (const fallback of [true, false])
        for (const format of storedFormat.options)
          entries.delete(toKey({ videoId, language, fallback, format }));
    },
  };
};
export type TranscriptMemory = ReturnType<typeof createTranscriptMemory>;

const inflate = promisify(inflateRaw);
const RETRY_AFTER_SECONDS = 2;

export const renderedKey = ({ videoId, language, fallback, format }: TranscriptSelection): string =>
  transcriptFetcher.renderedSelection.key(videoId, language, String(fallback), format);

/** The delivery that a selection leads to, with its file if that is cached, too. */
export type ProjectedTranscript = {
  readonly head: DeliveredTranscript;
  readonly file: Buffer | null;
};

/** Null without the details of its video, which Redis may have dropped. */
const readHead = (text: string, details: Buffer | null | undefined): DeliveredTranscript | null => {
  if (!details) return null;
  try {
    const head = transcriptFetcher.renderedSelection.value.safeParse(JSON.parse(text)).data;
    // Not parsed field by field, which takes four times as long as all else: the fetcher writes what it has parsed.
    const video = JSON.parse(details.toString()) as VideoDetails;
    return head?.video.id === video.id ? { ...head, video } : null;
  } catch {
    // An unreadable entry counts as absent.
    return null;
  }
};

/** Copied: the value is a view of a larger buffer of the connection. */
const copyComplete = (file: Buffer | null | undefined, { bytes }: DeliveredTranscript): Buffer | null =>
  file?.length === bytes ? Buffer.from(file) : null;

type StoredDeps = {
  readonly bodies: Pick<Bodies, 'read' | 'readBody'>;
  /** The cache's own guard: its failures say nothing about the Redis of the limits. */
  readonly guard: RedisGuard;
  readonly objects: Pick<Objects, 'getBytes'>;
};

/** Transcripts from the fetcher's answer, the cache or the object store. */
export const createStoredTranscripts = ({ bodies, guard, objects }: StoredDeps) => {
  const flight = createSingleFlight<Buffer>();
  const fetchObject = async ({ objectKey, bytes }: DeliveredTranscript): Promise<Buffer> => {
    let cause: unknown;
    try {
      const compressed = await objects.getBytes(objectKey);
      const raw = compressed && (await inflate(compressed, { maxOutputLength: Math.max(1, bytes) }));
      if (raw?.length === bytes) return raw;
    } catch (error) {
      cause = error;
    }
    throw serviceError('cache_object_missing', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });
  };
  /** Read once for all concurrent readers: large files are always read from here. */
  const readObject = (head: DeliveredTranscript): Promise<Buffer> =>
    flight(head.objectKey, () => fetchObject(head));
  const readCachedFile = async (head: DeliveredTranscript): Promise<Buffer | null> => {
    if (head.bytes > MAX_PROJECTED_FILE_BYTES) return null;
    return copyComplete(
      await guard.run(() => bodies.readBody(transcriptFetcher.renderedFile, [head.sha256])),
      head,
    );
  };
  return {
    /** By `renderedKey`. Null if it is absent or unreadable, or the cache does not answer in time; never throws. */
    async find(key: string): Promise<ProjectedTranscript | null> {
      const cached = await guard.run(() => bodies.read(key));
      const [file, details] = cached?.bodies ?? [];
      const head = cached && readHead(cached.head, details);
      return head && { head, file: copyComplete(file, head) };
    },
    async open({ head, file }: ProjectedTranscript): Promise<TranscriptEntry> {
      return new TranscriptEntry(head, file ?? (await readObject(head)));
    },
    async load(answer: AnsweredTranscript): Promise<TranscriptEntry> {
      if (answer.text !== undefined) return new TranscriptEntry(answer, Buffer.from(answer.text));
      return new TranscriptEntry(answer, (await readCachedFile(answer)) ?? (await readObject(answer)));
    },
  };
};
export type StoredTranscripts = ReturnType<typeof createStoredTranscripts>;

import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import type { Bodies } from '@tds/base';
import {
  type AnsweredTranscript,
  type DeliveredTranscript,
  LARGEST_PROJECTED_FILE,
  serviceError,
  type TranscriptSelection,
  transcriptFetcher,
} from '@tds/contracts';
import type { Objects } from '@tds/objects';
import type { RedisGuard } from '../admission/redis-guard.ts';
import { TranscriptEntry } from './transcript-memory.ts';

const inflate = promisify(inflateRaw);
const RETRY_AFTER_SECONDS = 2;

export const renderedKey = ({ videoId, language, fallback, format }: TranscriptSelection): string =>
  transcriptFetcher.renderedSelection.key(videoId, language, String(fallback), format);

/** The delivery that a selection leads to, with its file if that is cached, too. */
export type ProjectedTranscript = {
  readonly delivered: DeliveredTranscript;
  readonly file: Buffer | null;
};

const missing = (cause?: unknown) =>
  serviceError('cache_object_missing', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });

const readHead = (text: string): DeliveredTranscript | null => {
  try {
    return transcriptFetcher.renderedSelection.value.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    // An unreadable entry counts as absent.
    return null;
  }
};

/** Copied: the value is a view of a larger buffer of the connection. */
const whole = (file: Buffer | null, { bytes }: DeliveredTranscript): Buffer | null =>
  file?.length === bytes ? Buffer.from(file) : null;

type StoredParts = {
  readonly bodies: Pick<Bodies, 'read' | 'readBody'>;
  /** The cache's own guard: its failures say nothing about the Redis of the limits. */
  readonly guard: RedisGuard;
  readonly objects: Pick<Objects, 'getBytes'>;
};

/** Transcripts from the fetcher's answer, the cache or the object store. */
export const createStoredTranscripts = ({ bodies, guard, objects }: StoredParts) => {
  const underWay = new Map<string, Promise<Buffer>>();
  const fetchObject = async ({ objectKey, bytes }: DeliveredTranscript): Promise<Buffer> => {
    const stored = await objects.getBytes(objectKey).catch((cause: unknown) => {
      throw missing(cause);
    });
    if (stored === null) throw missing();
    try {
      const raw = await inflate(stored, { maxOutputLength: Math.max(1, bytes) });
      if (raw.length === bytes) return raw;
    } catch (cause) {
      throw missing(cause);
    }
    throw missing();
  };
  /** Read once for all concurrent readers: large files are always read from here. */
  const fromObjects = (delivered: DeliveredTranscript): Promise<Buffer> => {
    const { objectKey } = delivered;
    let reading = underWay.get(objectKey);
    if (reading === undefined) {
      reading = fetchObject(delivered).finally(() => underWay.delete(objectKey));
      underWay.set(objectKey, reading);
    }
    return reading;
  };
  const cachedFile = async (delivered: DeliveredTranscript): Promise<Buffer | null> => {
    if (delivered.bytes > LARGEST_PROJECTED_FILE) return null;
    return whole(
      await guard.run(() => bodies.readBody(transcriptFetcher.renderedFile, [delivered.sha256])),
      delivered,
    );
  };
  return {
    /** By `renderedKey`. Null if it is absent or unreadable, or the cache does not answer in time; never throws. */
    async find(key: string): Promise<ProjectedTranscript | null> {
      const found = await guard.run(() => bodies.read(key));
      const delivered = found && readHead(found.head);
      return delivered && { delivered, file: whole(found.body, delivered) };
    },
    async open({ delivered, file }: ProjectedTranscript): Promise<TranscriptEntry> {
      return new TranscriptEntry(delivered, file ?? (await fromObjects(delivered)));
    },
    async load(delivered: AnsweredTranscript): Promise<TranscriptEntry> {
      if (delivered.text !== undefined) return new TranscriptEntry(delivered, Buffer.from(delivered.text));
      return new TranscriptEntry(delivered, (await cachedFile(delivered)) ?? (await fromObjects(delivered)));
    },
  };
};
export type StoredTranscripts = ReturnType<typeof createStoredTranscripts>;

import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import {
  type AnsweredTranscript,
  type DeliveredTranscript,
  renderedTranscripts,
  serviceError,
  type TranscriptSelection,
} from '@tds/contracts';
import { decodeBody, type Objects, type Projections } from '@tds/service-kit';
import { isWhatWasAskedFor } from './asked-for.ts';
import { TranscriptEntry } from './transcript-entry.ts';

const inflate = promisify(inflateRaw);
const RETRY_AFTER_SECONDS = 2;

const keyParts = (selection: TranscriptSelection): [string, string, string, string] => [
  selection.videoId,
  selection.language,
  String(selection.fallback),
  selection.format,
];

export const renderedKey = (selection: TranscriptSelection): string =>
  renderedTranscripts.key(...keyParts(selection));

/** A projected transcript as it came from Redis; null where it is unreadable, or not what was asked for. */
export const readRendered = (value: Buffer, asked: TranscriptSelection): TranscriptEntry | null => {
  const decoded = decodeBody(value);
  const head = decoded && renderedTranscripts.value.safeParse(decoded.head).data;
  if (!decoded || !head || !isWhatWasAskedFor(head, asked)) return null;
  // Copied: the value is a window on a larger piece of memory of the connection.
  return new TranscriptEntry(head, Buffer.from(decoded.body));
};

const missing = (cause?: unknown) =>
  serviceError('cache_object_missing', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });

/** Bodies that the gateway does not hold: from the answer, the projection where it has the delivered file, or the object store. */
export const createStoredTranscripts = (projections: Projections, objects: Pick<Objects, 'getBytes'>) => {
  const fromObjects = async ({ objectKey, bytes }: DeliveredTranscript): Promise<Buffer> => {
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
  return {
    /** `selection` is null for polls, whose selection only the fetcher knows. */
    async load(
      delivered: AnsweredTranscript,
      selection: TranscriptSelection | null,
    ): Promise<TranscriptEntry> {
      if (delivered.text !== undefined) return new TranscriptEntry(delivered, Buffer.from(delivered.text));
      const projected = selection && (await projections.readBody(renderedTranscripts, keyParts(selection)));
      const isSame = projected?.head.sha256 === delivered.sha256;
      return new TranscriptEntry(
        delivered,
        isSame ? Buffer.from(projected.body) : await fromObjects(delivered),
      );
    },
  };
};
export type StoredTranscripts = ReturnType<typeof createStoredTranscripts>;

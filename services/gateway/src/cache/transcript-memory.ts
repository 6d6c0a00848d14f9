import { Buffer } from 'node:buffer';
import type { DeliveredTranscript, TranscriptSelection } from '@tds/contracts';
import { attachmentFileName, contentDisposition, markdownFor } from '@tds/transcript-format';
import { LRUCache } from 'lru-cache';
import { memoize } from '../memoize.ts';

/** What is the same for every delivery of one rendered transcript. */
type TranscriptHead = Pick<DeliveredTranscript, 'video' | 'language' | 'format' | 'fetchedAt'>;

/** The JSON wrapper (`transcriptBody` of the contracts) around a rendered file. */
const wrapTranscript = ({ video, format, language, fetchedAt }: TranscriptHead, raw: Buffer): Buffer => {
  const start = JSON.stringify({ ok: true, video, format, language, fetched_at: fetchedAt }).slice(0, -1);
  // The rendered json format is the array of cues itself, so it is spliced in without being parsed.
  return format === 'json'
    ? Buffer.concat([Buffer.from(`${start},"cues":`), raw, Buffer.from('}')])
    : Buffer.from(`${start},"text":${JSON.stringify(raw.toString())}}`);
};

/** One rendered transcript in memory: the file, and what answers are made of, composed when first asked for. */
export class TranscriptEntry {
  readonly head: TranscriptHead;
  readonly raw: Buffer;
  #wrapped: Buffer | null = null;
  #disposition: string | null = null;

  /** `raw`: the file as it is stored. */
  constructor({ video, language, format, fetchedAt }: TranscriptHead, raw: Buffer) {
    this.head = { video, language, format, fetchedAt };
    this.raw = format === 'md' ? Buffer.from(markdownFor(raw.toString(), language)) : raw;
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

/** A poll knows no more of what it asks for than a format, if that. */
type Asked = { readonly [Part in keyof TranscriptSelection]?: TranscriptSelection[Part] | undefined };

/** Whether a transcript, by what it says itself, is one that a caller asked for. */
export const isWhatWasAskedFor = (
  { video, language, format }: Pick<TranscriptHead, 'video' | 'language' | 'format'>,
  asked: Asked,
): boolean =>
  (asked.videoId ?? video.id) === video.id &&
  (asked.language ?? language.requested) === language.requested &&
  (asked.format ?? format) === format &&
  (asked.fallback !== false || !language.fallback);

/** Throws what becomes `unexpected_error`: a wrong transcript is never delivered and never kept. */
export function assertWhatWasAskedFor(
  head: Pick<TranscriptHead, 'video' | 'language' | 'format'>,
  asked: Asked,
): void {
  if (isWhatWasAskedFor(head, asked)) return;
  const { video, language, format } = head;
  const found = JSON.stringify({ videoId: video.id, language, format });
  throw new Error(`a transcript that was not asked for: ${found} for ${JSON.stringify(asked)}`);
}

const MEMORY_BYTES = 64 * 1024 * 1024;
/** A transcript may be fetched anew, with captions that the platform has changed. */
const KEPT_MS = 10 * 60_000;
const ENTRY_OVERHEAD_BYTES = 2_048;

/** Transcripts that were read lately, bounded by their bytes. */
export type TranscriptMemory = {
  get(selection: TranscriptSelection): TranscriptEntry | undefined;
  /** Throws if the transcript says that it is another one: nothing is kept under a name that is not its own. */
  keep(selection: TranscriptSelection, entry: TranscriptEntry): void;
};

const keyOf = memoize(
  ({ videoId, language, fallback, format }: TranscriptSelection) =>
    `${videoId}:${language}:${fallback}:${format}`,
);

export const createTranscriptMemory = (maxBytes = MEMORY_BYTES): TranscriptMemory => {
  const entries = new LRUCache<string, TranscriptEntry>({
    maxSize: maxBytes,
    maxEntrySize: Math.floor(maxBytes / 8),
    // The wrapper comes when first asked for; it takes cues as they are, and text with up to two bytes for one. What is
    // compressed of both, in two encodings, takes about as much as the file.
    sizeCalculation: ({ raw, head }) => (head.format === 'json' ? 3 : 4) * raw.length + ENTRY_OVERHEAD_BYTES,
    ttl: KEPT_MS,
  });
  return {
    get: (selection) => entries.get(keyOf(selection)),
    keep(selection, entry) {
      assertWhatWasAskedFor(entry.head, selection);
      // A refused translation may succeed later (specification, part 4): the next reader asks anew.
      if (entry.head.language.translation !== 'refused') entries.set(keyOf(selection), entry);
    },
  };
};

import { Buffer } from 'node:buffer';
import type { DeliveredTranscript } from '@tds/contracts';
import { attachmentFileName, contentDisposition, markdownFor } from '@tds/transcript-format';

/** What is the same for every delivery of one rendered transcript. */
export type TranscriptHead = Pick<DeliveredTranscript, 'video' | 'language' | 'format' | 'fetchedAt'>;

/** The JSON wrapper (`transcriptBody` of the contracts) around a rendered file. */
export const wrapTranscript = (
  { video, format, language, fetchedAt }: TranscriptHead,
  raw: Buffer,
): Buffer => {
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

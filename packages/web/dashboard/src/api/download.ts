import { ApiError, type TranscriptFormat, Transcripts } from '@transcript-delivery/sdk';
import { fileName } from '../job-plan.ts';
import { Refusal } from './send.ts';

export type Download = {
  readonly part: number;
  readonly of: number;
  readonly received: number;
  readonly bytes: number;
};

const ENOUGH_MS = 60_000;

/** Offers bytes as a file of the browser. */
export const saveAs = (name: string, content: Blob): void => {
  const href = URL.createObjectURL(content);
  const link = Object.assign(document.createElement('a'), { href, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(href), ENOUGH_MS);
};

/** A refusal of the client as one of this page. */
export const toRefusal = (error: unknown): unknown =>
  error instanceof ApiError ? new Refusal(error.body) : error;

type ArchiveRequest = {
  readonly jobId: string;
  readonly name: string;
  readonly format: TranscriptFormat;
  readonly key: string;
  readonly onProgress: (download: Download) => void;
};

/** Saves each ZIP of a job, after its digest was checked. A part has at most 80 MiB, so it stands in memory. */
export const downloadArchive = async ({
  jobId,
  name,
  format,
  key,
  onProgress,
}: ArchiveRequest): Promise<void> => {
  try {
    const job = await new Transcripts({ apiKey: key, baseUrl: location.origin }).jobs.get(jobId);
    for await (const part of job.archiveParts({ formats: [format] })) {
      const chunks: Uint8Array<ArrayBuffer>[] = [];
      let received = 0;
      for await (const chunk of part.chunks()) {
        chunks.push(chunk as Uint8Array<ArrayBuffer>);
        received += chunk.length;
        onProgress({ part: part.part, of: part.of, received, bytes: part.bytes });
      }
      saveAs(fileName(name, part.part, part.of), new Blob(chunks, { type: 'application/zip' }));
    }
  } catch (error) {
    throw toRefusal(error);
  }
};

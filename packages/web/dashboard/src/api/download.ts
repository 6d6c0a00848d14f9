import { ApiError, type ArchiveOptions, type DocumentOptions, Transcripts } from '@transcript-delivery/sdk';
import { fileName } from '../job-plan.ts';
import { saveAs } from './save-as.ts';
import { Refusal } from './send.ts';

export type Download = {
  readonly part: number;
  readonly of: number;
  readonly received: number;
  readonly bytes: number;
};

/** A refusal of the client as one of this page. */
export const toRefusal = (error: unknown): unknown =>
  error instanceof ApiError ? new Refusal(error.body) : error;

type ArchiveRequest = {
  readonly jobId: string;
  readonly name: string;
  /** The files in ZIPs, or one document. */
  readonly choice: { readonly archive: ArchiveOptions } | { readonly document: DocumentOptions };
  readonly key: string;
  readonly onProgress: (download: Download) => void;
};

/** Saves each file of a download, after its digest was checked. A ZIP has at most 80 MiB, so it stands in memory. */
export const downloadArchive = async ({
  jobId,
  name,
  choice,
  key,
  onProgress,
}: ArchiveRequest): Promise<void> => {
  try {
    const job = await new Transcripts({ apiKey: key, baseUrl: location.origin }).jobs.get(jobId);
    const isArchive = 'archive' in choice;
    const isText = !isArchive && choice.document.maxWords === undefined;
    const extension = isText ? (choice.document.format ?? 'md') : 'zip';
    const parts = isArchive ? job.archiveParts(choice.archive) : job.documentParts(choice.document);
    for await (const part of parts) {
      const chunks: Uint8Array<ArrayBuffer>[] = [];
      let received = 0;
      for await (const chunk of part.chunks()) {
        chunks.push(chunk as Uint8Array<ArrayBuffer>);
        received += chunk.length;
        onProgress({ part: part.part, of: part.of, received, bytes: part.bytes });
      }
      const type = isText ? 'text/plain; charset=utf-8' : 'application/zip';
      saveAs(fileName(name, part.part, part.of, extension), new Blob(chunks, { type }));
    }
  } catch (error) {
    throw toRefusal(error);
  }
};

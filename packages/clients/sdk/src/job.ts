import type { Answer, JobData, JobManifest, JobProgress, JobVideo, Passage, Query } from './api.ts';
import {
  type ArchiveFile,
  type ArchiveOptions,
  type ArchivePart,
  type ArchiveProgress,
  type DocumentOptions,
  requestParts,
} from './archive.ts';
import { type Connection, either, type RequestOptions, sleep } from './connection.ts';
import { WaitTimeoutError } from './errors.ts';
import { hasEnded, jobEvents } from './job-events.ts';
import { createList, type Pages } from './pages.ts';
import { saveArchive } from './save-archive.ts';

/** Timers that are set for longer fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const warnOfPause = ({ reason, resumesAt }: JobPause): void =>
  // biome-ignore lint/suspicious/noConsole: a caller that took no callback would wait in silence
  console.warn(
    `The job is paused (${reason}) until ${resumesAt?.toISOString() ?? 'you act'}: give wait() onPause or timeout`,
  );

/** Between two waits, if a stream says that a job has ended and the job does not. */
const AGAIN_MS = 1_000;

/** Why nothing of a job is at work, and when it goes on by itself, if that is known. */
export type JobPause = {
  readonly reason: NonNullable<JobData['pause_reason']> | null;
  readonly resumesAt: Date | null;
};

export type WaitOptions = RequestOptions & {
  readonly onProgress?: ((progress: JobProgress) => void) | undefined;
  /** Called once for each pause, which may last until midnight or until a person acts. Without it a warning is printed. */
  readonly onPause?: ((pause: JobPause) => void) | undefined;
  /** Milliseconds until the wait, not the job, ends with a `WaitTimeoutError`. */
  readonly timeout?: number | undefined;
};
type Saving = {
  /** Where the file goes; with several ZIPs `name-1.zip`, `name-2.zip` and so on. */
  readonly to: string;
  readonly onProgress?: ((progress: ArchiveProgress) => void) | undefined;
};
export type SaveOptions = ArchiveOptions & Saving;
export type SaveDocumentOptions = DocumentOptions & Saving;

/** A job as it was when it was last read. */
export class Job {
  data: JobData;
  readonly #connection: Connection;
  readonly #path: string;

  constructor(connection: Connection, data: JobData) {
    this.#connection = connection;
    this.#path = `/v1/jobs/${data.id}`;
    this.data = data;
  }

  get id(): string {
    return this.data.id;
  }

  get status(): JobData['status'] {
    return this.data.status;
  }

  /** completed, failed or cancelled. */
  get hasEnded(): boolean {
    return hasEnded(this.data);
  }

  /** Reads the job again. */
  async refresh(options: RequestOptions = {}): Promise<this> {
    this.data = (await this.#connection.json<Answer<'getJob'>>({ ...options, path: this.#path })).job;
    return this;
  }

  /** Progress until the end of the job, at most twice a second. */
  progress(options: RequestOptions = {}): AsyncGenerator<JobProgress> {
    return jobEvents(this.#connection, this.id, options);
  }

  /** Resolves at the end of the job, whatever its status is then. A paused job is waited for, until `timeout` if it is given. */
  async wait({ timeout, signal, ...options }: WaitOptions = {}): Promise<this> {
    if (timeout === undefined) return this.#untilEnd({ signal, ...options });
    const limit = new AbortController();
    const late = () =>
      limit.abort(new WaitTimeoutError(`The job ${this.id} has not ended within ${timeout} ms`));
    const timer = setTimeout(late, Math.min(timeout, MAX_TIMER_MS));
    try {
      return await this.#untilEnd({ signal: either(limit.signal, signal), ...options });
    } finally {
      clearTimeout(timer);
    }
  }

  async #untilEnd({ onProgress, onPause = warnOfPause, ...options }: WaitOptions): Promise<this> {
    let isPaused = false;
    for (;;) {
      for await (const progress of this.progress(options)) {
        onProgress?.(progress);
        const wasPaused = isPaused;
        isPaused = progress.status === 'paused';
        if (isPaused && !wasPaused) onPause(await this.#pause(options));
      }
      await this.refresh(options);
      if (this.hasEnded) return this;
      await sleep(AGAIN_MS, options.signal);
    }
  }

  async #pause(options: RequestOptions): Promise<JobPause> {
    const { pause_reason: reason = null, resumes_at: at } = (await this.refresh(options)).data;
    return { reason, resumesAt: at ? new Date(at) : null };
  }

  /** Tries videos that failed again. Resolves to their number. */
  async retry(options: RequestOptions = {}): Promise<number> {
    const { job, requeued } = await this.#post<Answer<'retryJob'>>('/retry', options);
    this.data = job;
    return requeued;
  }

  async cancel(options: RequestOptions = {}): Promise<this> {
    this.data = (await this.#post<Answer<'cancelJob'>>('/cancel', options)).job;
    return this;
  }

  /** Deletes the ended job with its files; charges stay. */
  async delete(options: RequestOptions = {}): Promise<void> {
    await this.#connection.text({ ...options, method: 'DELETE', path: this.#path });
  }

  videos(options: Query<'listJobVideos'> & RequestOptions = {}): Pages<JobVideo, Answer<'listJobVideos'>> {
    return createList(this.#connection, `${this.#path}/videos`, 'videos', options);
  }

  manifest(options: RequestOptions = {}): Promise<JobManifest> {
    return this.#connection.json({ ...options, path: `${this.#path}/manifest` });
  }

  manifestCsv(options: RequestOptions = {}): Promise<string> {
    return this.#connection.text({ ...options, path: `${this.#path}/manifest`, query: { format: 'csv' } });
  }

  /** The transcript of one video in the format of the job. Its SHA-256 is in the manifest. */
  file(
    videoId: string,
    { front_matter, ...options }: Pick<Query<'getJobFile'>, 'front_matter'> & RequestOptions = {},
  ): Promise<string> {
    return this.#connection.text({ ...options, path: this.#file(videoId), query: { front_matter } });
  }

  /** The passages of one video, if the format of the job is json. */
  async passages(
    videoId: string,
    { passage_characters, ...options }: Pick<Query<'getJobFile'>, 'passage_characters'> & RequestOptions = {},
  ): Promise<Passage[]> {
    const query = { passages: true, passage_characters };
    const call = { ...options, path: this.#file(videoId), query };
    return (await this.#connection.json<{ passages: Passage[] }>(call)).passages;
  }

  /** Saves all files as ZIP, checked. Resumes after a cut, and waits while the archive is built. Node only. */
  archive({ to, onProgress, ...options }: SaveOptions): Promise<ArchiveFile[]> {
    return saveArchive(this.archiveParts(options), to, onProgress);
  }

  /** The ZIPs as streams, for browsers, edge runtimes and stores of your own. */
  archiveParts({ formats, frontMatter, ...options }: ArchiveOptions = {}): AsyncGenerator<ArchivePart> {
    const choice = { formats: formats?.join(), front_matter: frontMatter };
    return requestParts(this.#connection, { ...options, path: `${this.#path}/archive` }, choice);
  }

  /** Saves all transcripts as one text, or with `maxWords` as a ZIP of numbered texts. As `archive` otherwise. Node only. */
  document({ to, onProgress, ...options }: SaveDocumentOptions): Promise<ArchiveFile[]> {
    return saveArchive(this.documentParts(options), to, onProgress);
  }

  /** The same as streams. */
  documentParts({ maxWords, format, ...options }: DocumentOptions = {}): AsyncGenerator<ArchivePart> {
    const choice = { format, max_words: maxWords };
    return requestParts(this.#connection, { ...options, path: `${this.#path}/document` }, choice);
  }

  #file(videoId: string): string {
    return `${this.#path}/files/${encodeURIComponent(videoId)}`;
  }

  #post<Body>(path: string, options: RequestOptions): Promise<Body> {
    return this.#connection.json({ ...options, method: 'POST', path: `${this.#path}${path}` });
  }
}

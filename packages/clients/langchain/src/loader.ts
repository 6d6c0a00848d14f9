import { BaseDocumentLoader } from '@langchain/core/document_loaders/base';
import type { Document } from '@langchain/core/documents';
import {
  ApiError,
  ForbiddenError,
  type Job,
  type JobVideo,
  Transcripts,
  TranscriptsError,
  type TranscriptsOptions,
  type WaitOptions,
} from '@transcript-delivery/sdk';
import { inOrder } from './in-order.ts';
import {
  factsOfRow,
  factsOfTranscript,
  failureOfRow,
  type LoadFailure,
  passageDocuments,
  type TranscriptMetadata,
  toFailure,
  type VideoFacts,
  wholeDocument,
  withoutEmpty,
} from './transcript-documents.ts';

/** What is loaded: videos by their ids or addresses, or a channel, a playlist or a `list:<key>`, by a job. */
export type TranscriptSelection =
  | { readonly videos: string | readonly string[]; readonly source?: undefined }
  | {
      readonly source: string;
      readonly videos?: undefined;
      /** Only the first videos of the source; of a channel, the newest. */
      readonly newest?: number | undefined;
      readonly contents?: 'all' | 'videos' | 'shorts' | 'streams' | undefined;
    };

export type TranscriptLoaderOptions = TranscriptsOptions &
  TranscriptSelection & {
    /** A tag, `orig` for the language that is spoken, or several in order of preference: `de,en`. English by default. */
    readonly language?: string | undefined;
    /** false: the language or an error. */
    readonly fallback?: boolean | undefined;
    /** The most characters of a passage: 200 to 8,000, 700 by default. */
    readonly passageCharacters?: number | undefined;
    /** true: one document for each transcript, instead of its passages. */
    readonly whole?: boolean | undefined;
    /** Called for each of several videos that cannot be loaded; the others are. Without it a warning is printed. */
    readonly onFailure?: ((failure: LoadFailure) => void) | undefined;
    /** How to wait for the job of a source. */
    readonly wait?: Pick<WaitOptions, 'onProgress' | 'onPause' | 'timeout'> | undefined;
    /** Ends loading and waiting. A job that was begun goes on. */
    readonly signal?: AbortSignal | undefined;
  };

type Documents = Document<TranscriptMetadata>[];
type Outcome = {
  readonly documents: Documents;
  readonly failed?: { readonly failure: LoadFailure; readonly error: TranscriptsError };
};

const warnOfFailure = ({ video, message }: LoadFailure): void =>
  // biome-ignore lint/suspicious/noConsole: a caller that took no callback would not learn that a video is missing
  console.warn(`The transcript of ${video} is not loaded: ${message} Give onFailure to handle this.`);

/** Whether an error is about one video: others fail for the next one as well, such as a refused key. */
const isOfVideo = (error: unknown): error is ApiError =>
  error instanceof ApiError && !(error instanceof ForbiddenError);

const attempt = async (video: string, load: () => Promise<Documents>): Promise<Outcome> => {
  try {
    return { documents: await load() };
  } catch (error) {
    if (!isOfVideo(error)) throw error;
    return { documents: [], failed: { failure: toFailure(video, error), error } };
  }
};

const failedRow = (row: JobVideo): Outcome => {
  const failure = failureOfRow(row);
  return {
    documents: [],
    failed: { failure, error: new TranscriptsError(failure.message, failure.retryable) },
  };
};

/** The source has more than the job. */
const omittedEntries = ({ data: { source, omitted } }: Job): Outcome => {
  const message = `${omitted} entries of it could not be read: videos may be missing.`;
  const failure = { video: source.input ?? '', code: 'omitted', message, retryable: true };
  return { documents: [], failed: { failure, error: new TranscriptsError(message, true) } };
};

/**
 * Loads transcripts as documents: passages of some sentences each, with a link to the second. A transcript that is fetched costs 1
 * credit, a cached one 0.
 */
export class TranscriptLoader extends BaseDocumentLoader {
  readonly #client: Transcripts;
  readonly #options: TranscriptLoaderOptions;
  readonly #videos: readonly string[];

  constructor(options: TranscriptLoaderOptions) {
    super();
    this.#videos = [options.videos ?? []].flat();
    if (!options.source && this.#videos.length === 0) throw new TypeError('Give videos, or a source');
    this.#client = new Transcripts(options);
    this.#options = options;
  }

  /** All documents, in the order of the videos. */
  async load(): Promise<Documents> {
    const documents: Documents = [];
    for await (const document of this.lazyLoad()) documents.push(document);
    return documents;
  }

  /** The same documents as they arrive. If not one video can be loaded, the error of the first one is thrown. */
  async *lazyLoad(): AsyncGenerator<Document<TranscriptMetadata>> {
    const { onFailure = warnOfFailure } = this.#options;
    let firstError: TranscriptsError | undefined;
    let isLoaded = false;
    for await (const { documents, failed } of this.#outcomes()) {
      firstError ??= failed?.error;
      if (failed) onFailure(failed.failure);
      else isLoaded = true;
      yield* documents;
    }
    if (firstError && !isLoaded) throw firstError;
  }

  async *#outcomes(): AsyncGenerator<Outcome> {
    if (this.#options.source) return yield* this.#loadJob();
    const [video, ...remaining] = this.#videos;
    if (video && remaining.length === 0) return yield { documents: await this.#load(video) };
    yield* inOrder(this.#videos, (one) => attempt(one, () => this.#load(one)));
  }

  async #load(video: string): Promise<Documents> {
    const { language, fallback, signal, whole, passageCharacters } = this.#options;
    const choice = withoutEmpty({ language, fallback, signal });
    if (whole) {
      const transcript = await this.#client.transcripts.get(video, { ...choice, format: 'clean' });
      return [wholeDocument(factsOfTranscript(transcript), transcript.text)];
    }
    const size = withoutEmpty({ passage_characters: passageCharacters });
    const transcript = await this.#client.transcripts.get(video, {
      ...choice,
      ...size,
      format: 'json',
      passages: true,
    });
    return passageDocuments(factsOfTranscript(transcript), transcript.passages ?? []);
  }

  async *#loadJob(): AsyncGenerator<Outcome> {
    const job = await this.#runJob();
    const { signal } = this.#options;
    const { rows } = await job.manifest({ signal });
    const delivered = new Map(
      rows.filter(({ output_file }) => output_file !== null).map((row) => [row.video_id, factsOfRow(row)]),
    );
    yield* inOrder(job.videos({ limit: 500, signal }), async (row) => {
      const facts = delivered.get(row.video_id);
      return facts ? attempt(row.video_id, () => this.#loadFile(job, facts)) : failedRow(row);
    });
    if (job.data.omitted > 0) yield omittedEntries(job);
  }

  async #runJob(): Promise<Job> {
    const { source: input = '', language, fallback, whole, wait, signal, ...others } = this.#options;
    const { newest, contents } = { newest: undefined, contents: undefined, ...others };
    const format = whole ? 'clean' : 'json';
    const choice = withoutEmpty({ language, fallback, newest, contents });
    const job = await this.#client.jobs.create({ input, format, ...choice }, { signal });
    await job.wait({ ...wait, signal });
    const { error } = job.data;
    if (error) throw new TranscriptsError(`The job ${job.id} of ${input} failed: ${error.code}`);
    return job;
  }

  async #loadFile(job: Job, facts: VideoFacts): Promise<Documents> {
    const { signal, whole, passageCharacters } = this.#options;
    if (whole) return [wholeDocument(facts, await job.file(facts.video_id, { signal }))];
    const size = withoutEmpty({ passage_characters: passageCharacters });
    return passageDocuments(facts, await job.passages(facts.video_id, { ...size, signal }));
  }
}

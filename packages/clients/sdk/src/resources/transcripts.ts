import type { Query, Transcript, TranscriptFormat } from '../api.ts';
import type { Connection, RequestOptions } from '../connection.ts';
import { type Answered, type Meta, readAnswer, readMeta } from '../meta.ts';

type PassageChoice = 'passages' | 'passage_characters';
type Choice = Omit<Query<'getTranscript'>, 'video_id' | 'input' | 'url' | 'request_id' | 'format' | 'raw'> &
  RequestOptions;

export type TranscriptFile = {
  readonly text: string;
  /** `2026-01-15 - Title.en.srt`; null if the answer names none. */
  readonly name: string | null;
  readonly meta: Meta;
};

const path = '/v1/transcript';

/** A retry of a refresh costs nothing more. */
const onceOnly = ({ refresh }: Pick<Choice, 'refresh'>) =>
  refresh ? { headers: { 'Idempotency-Key': crypto.randomUUID() } } : {};

const VIDEO_ID = /^[\w-]{11}$/;
const toSource = (video: string) => (VIDEO_ID.test(video) ? { video_id: video } : { input: video });

const fileName = (response: Response): string | null => {
  const disposition = response.headers.get('content-disposition') ?? '';
  const [, encoded] = /filename\*=UTF-8''([^;]+)/i.exec(disposition) ?? [];
  if (encoded) return decodeURIComponent(encoded);
  return /filename="([^"]+)"/i.exec(disposition)?.[1] ?? null;
};

export const transcripts = (connection: Connection) => ({
  /**
   * The transcript of a video, by its id or address, of the format `both` by default; json may have `passages`. Waits until it is fetched, for
   * minutes if need be. `language` is a tag, `orig` for the language that is spoken, or several in order of preference: `de,en`.
   */
  get: <Format extends TranscriptFormat = 'both'>(
    video: string,
    { signal, timeoutMs, ...choice }: { format?: Format | undefined } & Choice = {},
  ): Promise<Answered<Transcript<Format>>> =>
    connection.pollResult(
      { signal, timeoutMs, path, query: { ...toSource(video), ...choice }, ...onceOnly(choice) },
      readAnswer<Transcript<Format>>,
    ),

  /** The same as a file, such as SubRip. */
  file: (
    video: string,
    {
      signal,
      timeoutMs,
      ...choice
    }: { format?: TranscriptFormat | undefined } & Omit<Choice, PassageChoice> = {},
  ): Promise<TranscriptFile> =>
    connection.pollResult(
      { signal, timeoutMs, path, query: { ...toSource(video), raw: true, ...choice }, ...onceOnly(choice) },
      async (response) => ({
        text: await response.text(),
        name: fileName(response),
        meta: readMeta(response),
      }),
    ),
});

import type { Query, Transcript, TranscriptFormat } from '../api.ts';
import { type Call, type Connection, queryCall, type RequestOptions } from '../connection.ts';
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

const VIDEO_ID = /^[\w-]{11}$/;
const toCall = (video: string, choice: Choice): Call => {
  const query = { ...(VIDEO_ID.test(video) ? { video_id: video } : { input: video }), ...choice };
  const call = queryCall(path, query);
  // A retry of a refresh costs nothing more.
  return choice.refresh ? { ...call, headers: { 'Idempotency-Key': crypto.randomUUID() } } : call;
};

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
    choice: { format?: Format | undefined } & Choice = {},
  ): Promise<Answered<Transcript<Format>>> =>
    connection.pollResult(toCall(video, choice), readAnswer<Transcript<Format>>),

  /** The same as a file, such as SubRip. */
  file: (
    video: string,
    choice: { format?: TranscriptFormat | undefined } & Omit<Choice, PassageChoice> = {},
  ): Promise<TranscriptFile> => {
    const options = { raw: true, ...choice };
    return connection.pollResult(toCall(video, options), async (response) => ({
      text: await response.text(),
      name: fileName(response),
      meta: readMeta(response),
    }));
  },
});

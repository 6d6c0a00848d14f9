import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { COLD_WAIT_MS, HOPS_MS } from '../deadlines.ts';
import { crc32, storedFile, transcriptSelection } from '../delivered-transcript.ts';
import { listWithin, uuid } from '../ids.ts';
import { storedFormat } from '../transcript.ts';

/** Bytes of an answer of several hundred rows; well below the limit of the bus. */
export const MAX_ANSWER_BYTES = 240 * 1_024;

export const MAX_RENDERED = 500;

/** A delivered transcript with its selection, by which a fetcher fetches it again if it was lost. */
const renderedTranscript = transcriptSelection.omit({ format: true }).extend({ transcriptId: uuid });
export type WantedTranscript = z.infer<typeof renderedTranscript>;

export const renderCommands = commands({
  /**
   * Returns the files of delivered transcripts in another format; renders and stores missing ones. Files that do not fit into the
   * answer are left out.
   */
  renderTranscripts: {
    request: z.object({
      format: storedFormat,
      transcripts: z.array(renderedTranscript).max(MAX_RENDERED),
    }),
    reply: z.object({
      rows: listWithin(
        z.discriminatedUnion('state', [
          z.object({ transcriptId: uuid, state: z.literal('rendered'), ...storedFile, crc32 }),
          z.object({
            transcriptId: uuid,
            state: z.literal('failed'),
            /** Lost: fetched again at no charge if the call names an account, for a later request. */
            code: z.literal('cache_object_missing'),
          }),
        ]),
        MAX_ANSWER_BYTES,
      ),
    }),
    timeoutMs: COLD_WAIT_MS + HOPS_MS,
  },
});

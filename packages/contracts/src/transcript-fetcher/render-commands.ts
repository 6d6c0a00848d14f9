import { z } from 'zod';
import { listWithin } from '../bounded.ts';
import { commands } from '../contract/define-contract.ts';
import { COLD_WAIT_MS, HOPS_MS } from '../deadlines.ts';
import { uuid } from '../ids.ts';
import { transcriptFormat } from '../transcript.ts';
import { storedFile, transcriptSelection } from './delivered-transcript.ts';

/** An answer (bytes) that may be several hundred rows, and is well below what the bus takes. */
export const LARGEST_ANSWER = 240 * 1_024;

export const MOST_RENDERED = 500;

/** Of the file itself. */
export const crc32 = z.number().int().min(0).max(0xffff_ffff);

/** A delivered transcript with its selection, by which a fetcher that has lost it finds it. */
const renderedTranscript = transcriptSelection.omit({ format: true }).extend({ transcriptId: uuid });
export type WantedTranscript = z.infer<typeof renderedTranscript>;

export const renderCommands = commands({
  /**
   * The files of delivered transcripts in one more format; renders and stores those that are missing or lost. Those that do
   * not fit into the answer are not in it.
   */
  renderTranscripts: {
    request: z.object({
      format: transcriptFormat,
      transcripts: z.array(renderedTranscript).max(MOST_RENDERED),
    }),
    reply: z.object({
      rows: listWithin(
        z.discriminatedUnion('state', [
          z.object({ transcriptId: uuid, state: z.literal('rendered'), ...storedFile, crc32 }),
          z.object({
            transcriptId: uuid,
            state: z.literal('failed'),
            /** Lost: it is fetched again for nothing if the call names an account, and a later request finds it. */
            code: z.literal('cache_object_missing'),
          }),
        ]),
        LARGEST_ANSWER,
      ),
    }),
    timeoutMs: COLD_WAIT_MS + HOPS_MS,
  },
});

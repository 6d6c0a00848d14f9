import { z } from 'zod';
import { defineContract } from '../contract/define-contract.ts';
import { uuid } from '../ids.ts';
import { deliveredTranscript } from './delivered-transcript.ts';
import { lineCommands } from './line-commands.ts';
import { observationEvents } from './observation-events.ts';
import { renderCommands } from './render-commands.ts';
import { disownCommands, transcriptCommands } from './transcript-commands.ts';

/** A larger file (bytes) is read from the object store. */
export const LARGEST_PROJECTED_FILE = 1_024 * 1_024;

/** The cache of transcripts, and the work of filling it. */
export const transcriptFetcher = defineContract('transcript-fetcher', {
  objects: { cues: 'cues of a track, by their content', rendered: 'its files, one for each format' },
  commands: { ...transcriptCommands, ...disownCommands, ...lineCommands, ...renderCommands },
  events: {
    /** A hint that rows have ended together: the reads that wait for them, and the lines that have news or have ended by it. */
    rowsEnded: {
      payload: z.object({
        reads: z.array(uuid),
        lines: z.array(
          z.object({ lineId: uuid, version: z.number().int().nonnegative(), isOver: z.boolean() }),
        ),
      }),
    },

    /** A hint that rows are ready for which their own process has no place. */
    rowsReady: { payload: z.object({ lane: z.number().int() }) },

    ...observationEvents,
  },
  projections: {
    /** What a selection leads to, small: the file itself lies beside it, once for all selections, or in the object store. */
    renderedSelection: {
      keyParts: ['videoId', 'language', 'fallback', 'format'],
      value: deliveredTranscript,
      ttlSeconds: 3_600,
      keptIn: 'cache',
    },
    /** Rendered files by their content: however many selections lead to one, it is kept once. */
    renderedFile: {
      keyParts: ['sha256'],
      value: z.instanceof(Uint8Array),
      ttlSeconds: 6 * 3_600,
      keptIn: 'cache',
    },
  },
});

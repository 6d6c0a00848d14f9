import { z } from 'zod';
import { defineContract } from '../contract/define-contract.ts';
import { deliveredTranscript } from '../delivered-transcript.ts';
import { time, uuid } from '../ids.ts';
import { videoSummary } from '../transcript.ts';
import { batchCommands } from './batch-commands.ts';
import { libraryCommands } from './library-commands.ts';
import { linkCommands, linkEnded } from './link-commands.ts';
import { renderCommands } from './render-commands.ts';
import { languageCommands, transcriptCommands, waiveCommands } from './transcript-commands.ts';
import { videoMatched, watchedTranscriptIndexed, wordsCommands, wordsFound } from './words-commands.ts';

const route = { strategy: z.string(), exit: z.string() };

/** Which cold fetches may begin today: all, only those of paid keys (`limited`), or none (`spent`). */
const coldCapacity = z.enum(['open', 'limited', 'spent']);
export type ColdCapacity = z.output<typeof coldCapacity>;

/** How many of the last requests or fetches ended with a fault of the route: above a tenth some, above a half most. */
export const faultShare = z.enum(['few', 'some', 'most']);
export type FaultShare = z.output<typeof faultShare>;

const observationEvents = {
  /**
   * The health of the strategies that one instance has used lately, at each change and every minute, so that silence shows.
   * The status service finds outages from these.
   */
  strategyObserved: {
    payload: z.object({
      instance: uuid,
      /** By the database's clock, which all instances share. */
      observedAt: time,
      strategies: z.array(z.object({ ...route, healthy: z.boolean(), faults: faultShare.optional() })),
      /** Of the fetches of customers in the last five minutes; absent if there were few of them. */
      faults: faultShare.optional(),
      capacity: coldCapacity,
    }),
  },

  /** A check fetched a known video through every strategy and exit. */
  canaryChecked: {
    payload: z.object({
      instance: uuid,
      checkedAt: time,
      routes: z.array(z.object({ ...route, passed: z.boolean() })),
      /** Null if the video offers no translations. */
      translation: z.enum(['served', 'refused']).nullable(),
    }),
  },
} as const;

/** A larger file (bytes) is read from the object store. */
export const MAX_PROJECTED_FILE_BYTES = 1_024 * 1_024;

/** The cache of transcripts, and the work of filling it. */
export const transcriptFetcher = defineContract('transcript-fetcher', {
  objects: { cues: 'cues of a track, by their content', rendered: 'its files, one for each format' },
  commands: {
    ...transcriptCommands,
    ...languageCommands,
    ...waiveCommands,
    ...batchCommands,
    ...renderCommands,
    ...libraryCommands,
    ...wordsCommands,
    ...linkCommands,
  },
  events: {
    /** A hint that rows have ended: the reads that wait for them, and the batches with changes. */
    rowsEnded: {
      payload: z.object({
        reads: z.array(uuid),
        batches: z.array(
          z.object({ batchId: uuid, version: z.number().int().nonnegative(), isOver: z.boolean() }),
        ),
      }),
    },

    /** A hint that rows are ready but their own process has no free place. */
    rowsReady: { payload: z.object({ priority: z.enum(['reads', 'jobs']) }) },

    /** A restore of this service's database lost what an ended job had delivered: its owner may open those rows again, for nothing. */
    deliveriesLost: { payload: z.object({ batchId: uuid }) },

    watchedTranscriptIndexed,
    wordsFound,
    videoMatched,
    linkEnded,

    ...observationEvents,
  },
  projections: {
    /** The transcript of a selection, without its file and the long facts of its video, which are kept once for all selections. */
    renderedSelection: {
      keyParts: ['videoId', 'language', 'fallback', 'format'],
      value: deliveredTranscript.extend({ video: videoSummary }),
      ttlSeconds: 3_600,
      keptIn: 'cache',
    },
    /** Rendered files by content, once for all selections. */
    renderedFile: {
      keyParts: ['sha256'],
      value: z.instanceof(Uint8Array),
      ttlSeconds: 6 * 3_600,
      keptIn: 'cache',
    },
    /** The details of a transcript's video by content, as JSON. */
    transcriptVideo: {
      keyParts: ['sha256'],
      value: z.instanceof(Uint8Array),
      ttlSeconds: 6 * 3_600,
      keptIn: 'cache',
    },
  },
});

import { z } from 'zod';
import { defineContract } from '../contract/define-contract.ts';
import { uuid, videoId } from '../ids.ts';
import { captionKind } from '../transcript.ts';
import { batchCommands } from './batch-commands.ts';
import { deliveredTranscript, transcriptSelection } from './delivered-transcript.ts';
import { disownCommands } from './disown-commands.ts';
import { transcriptCommands } from './transcript-commands.ts';

/** A larger file (bytes) is read from the object store. */
export const LARGEST_PROJECTED_FILE = 1_024 * 1_024;

/** The cache of transcripts, and the work of filling it. */
export const transcriptFetcher = defineContract('transcript-fetcher', {
  objects: { cues: 'cues of a track, by their content', rendered: 'its files, one for each format' },
  commands: { ...transcriptCommands, ...disownCommands, ...batchCommands },
  tasks: {
    /** One upstream fetch of one track, shared by every operation that waits for it. */
    fetchTrack: {
      payload: z.object({
        fetchId: uuid,
        /** The operation that began it. */
        operationId: uuid.optional(),
        /** What that operation asked for: spares the first attempt a look. */
        wanted: transcriptSelection.optional(),
        /** Whose operation that is; absent in what is taken over from the table. */
        accountId: uuid.optional(),
      }),
      // Renewed while it runs, so this is how soon a killed worker's fetch is taken over.
      leaseMs: 10_000,
      backoffMs: [1_000, 2_000, 5_000],
      concurrency: 32,
    },

    /** Fetches for which only batches wait: a part of what one call has opened, in the partition of its account. */
    fetchTracks: {
      payload: transcriptSelection.omit({ videoId: true }).extend({
        accountId: uuid,
        fetches: z.array(z.object({ fetchId: uuid, videoId })),
      }),
      leaseMs: 10_000,
      backoffMs: [1_000, 2_000, 5_000],
      // Lists of work only: how much of it is done at a time, and for whom, is decided by turns.
      concurrency: 64,
      maxInFlightPerPartition: 3,
    },

    /** Settles or releases what an ended operation had reserved; repeats until the ledger has answered, once a minute in the end. */
    settleOperation: {
      payload: z.object({
        operationId: uuid,
        /** What the ended operation owes: spares a look. */
        charge: z.number().int().nonnegative().optional(),
      }),
      leaseMs: 10_000,
      backoffMs: [200, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000, ...Array<number>(10).fill(60_000)],
      concurrency: 32,
    },
  },
  events: {
    /** Tells the instances that hold a waiting caller that an operation has ended. */
    operationEnded: {
      payload: z.object({ operationId: uuid, state: z.string() }),
    },

    /** The same of many that have ended together. */
    operationsEnded: {
      payload: z.object({ operationIds: z.array(uuid) }),
    },

    transcriptFetched: {
      payload: z.object({ videoId, languageCode: z.string(), kind: captionKind, translated: z.boolean() }),
    },

    transcriptFailed: {
      payload: z.object({ videoId, language: z.string(), errorClass: z.string(), code: z.string() }),
    },

    /** How the serving strategies fare, as one instance sees them; the status service judges outages from these. */
    strategyObserved: {
      payload: z.object({
        observedAt: z.iso.datetime(),
        strategies: z.array(z.object({ strategy: z.string(), exit: z.string(), healthy: z.boolean() })),
      }),
    },
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

import { isLost } from '../domain/transcript.ts';
import { loadCues } from '../tracks/index.ts';
import type { LibraryDeps } from './deps.ts';
import { dictionaryOf } from './domain/dictionaries.ts';
import { createLexemes, lexemesIn, listForms, toVector } from './domain/library-words.ts';
import { announceWatchers } from './match-words.ts';
import {
  claimInTurn,
  completeIndexTask,
  FIRST_TURN,
  findIndexTask,
  type IndexTask,
  indexEntry,
  libraryQueue,
  MAX_ACCOUNTS,
  type StoredPassage,
  saveIndex,
  TRY_MS,
  type Unindexed,
} from './store/library-index.ts';

export type IndexDeps = Pick<
  LibraryDeps,
  'sql' | 'pool' | 'db' | 'messaging' | 'objects' | 'splitCues' | 'stemmer' | 'log'
>;

/** A transcript whose cues the store has lost waits until somebody reads it, which fetches them again. */
const LOST_AGAIN_MS = 86_400_000;
/** After this time monitors hear again of a transcript that waits for their words: the event was lost. */
const MATCHED_WITHIN_MS = 900_000;
/** The part of its lease that a try may take: another instance may not begin the next one beside it. */
const SHARE_OF_LEASE = 0.8;

/** Makes the index of a transcript, and saves it for the accounts of its task. */
const makeIndex = async (
  { sql, pool, splitCues, stemmer }: IndexDeps,
  task: IndexTask,
  cues: Buffer,
  signal: AbortSignal,
): Promise<void> => {
  const lexemes = new Set<string>();
  const track = { language: task.languageCode, video: { chapters: task.chapters } };
  const pages: StoredPassage[][] = [];
  for (const page of await splitCues({ cues, track })) {
    signal.throwIfAborted();
    const words = page.flatMap(({ tokens }) => tokens);
    const lexemesOf = createLexemes(await stemmer(dictionaryOf(task.languageCode), new Set(listForms(words))));
    for (const { signs } of page) for (const lexeme of lexemesIn(signs)) lexemes.add(lexeme);
    pages.push(
      page.map(({ tokens, signs, ...passage }) => {
        return { ...passage, vector: `${toVector(tokens, lexemesOf, lexemes)} ${signs}` };
      }),
    );
  }
  await saveIndex({ sql, pool }, task, pages, lexemes);
};

const indexTranscript = async (deps: IndexDeps, claimed: Unindexed, stopping: AbortSignal): Promise<void> => {
  const { sql, pool, objects, log } = deps;
  const { tries } = claimed;
  const task = await findIndexTask(sql, claimed);
  const { transcriptId, accountIds, passageCount } = task;
  const leaseMs = TRY_MS[tries - 1];
  if (leaseMs === undefined) log.error('a transcript cannot be indexed', { transcriptId });
  if (leaseMs !== undefined && passageCount === null) {
    // What the object store fails to do says nothing of the captions, so the try does not count.
    const cues = await loadCues(objects, task.cuesKey).catch(async (error) => {
      const nextInMs = isLost(error) ? LOST_AGAIN_MS : leaseMs;
      await libraryQueue.save(pool, [{ ...claimed, nextInMs, changes: { tries: tries - 1 } }]);
    });
    if (!cues) return;
    await makeIndex(
      deps,
      task,
      cues,
      AbortSignal.any([stopping, AbortSignal.timeout(leaseMs * SHARE_OF_LEASE)]),
    );
  } else {
    const lexemes = leaseMs === undefined || passageCount === 0 ? new Set<string>() : null;
    for (const accountId of accountIds) await indexEntry(sql, task, accountId, lexemes);
  }
  const isWatched = task.isWatched && (await announceWatchers(deps, transcriptId));
  const waits = isWatched && accountIds.length < MAX_ACCOUNTS;
  await completeIndexTask(pool, claimed, waits ? MATCHED_WITHIN_MS : 0);
};

/**
 * Indexes what accounts have received since, until nothing is left or the signal fires. Every step may be repeated. Returns the number of
 * tries.
 */
export const indexReceived = async (deps: IndexDeps, signal: AbortSignal): Promise<number> => {
  for (let [count, lastServed] = [0, FIRST_TURN]; ; count += 1) {
    const claimed = signal.aborted ? undefined : await claimInTurn(deps.sql, lastServed);
    if (!claimed) return count;
    lastServed = claimed.accountId;
    await indexTranscript(deps, claimed, signal).catch((error) =>
      deps.log.warn('a transcript was not indexed', { error, transcriptId: claimed.id }),
    );
  }
};

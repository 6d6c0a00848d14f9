import type { Deps } from '../deps.ts';
import { dictionaryOf } from '../domain/dictionaries.ts';
import { toVector } from '../domain/library-words.ts';
import {
  beginTry,
  findUnindexed,
  indexEntry,
  postponeTry,
  savePassages,
  TRY_SECONDS,
  type Try,
} from '../store/library-index.ts';
import { isLost } from './serve-cached.ts';
import { loadCues } from './track-files.ts';

export type IndexDeps = Pick<Deps, 'sql' | 'objects' | 'files' | 'stemmer' | 'log'>;

/** Entries of one look: some hundredths of a second of work. */
const AT_ONCE = 32;
/** A transcript whose cues the store has lost waits until somebody reads it, which fetches them again. */
const LOST_AGAIN_SECONDS = 86_400;
/** Of each second that a try has: another instance may not begin the next one beside it. */
const WORK_MS = 800;

/** Saves the passages of a transcript for all accounts. Returns their lexemes. */
const saveAll = async (
  { sql, files, stemmer }: IndexDeps,
  begun: Try,
  cues: Buffer,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> => {
  const lexemes = new Set<string>();
  for (const page of await files.split(cues, { chapters: begun.chapters })) {
    signal.throwIfAborted();
    const words = new Set(page.flatMap(({ tokens }) => tokens.map(({ word }) => word)));
    const lexemeOf = await stemmer(dictionaryOf(begun.languageCode), words);
    for (const word of words) lexemes.add(lexemeOf(word));
    const stored = page.map(({ tokens, ...passage }) => ({ ...passage, vector: toVector(tokens, lexemeOf) }));
    await savePassages(sql, begun, stored);
  }
  return lexemes;
};

/** A transcript whose tries are used up is left without words, until its captions change. */
const indexTranscript = async (deps: IndexDeps, begun: Try, stopping: AbortSignal): Promise<void> => {
  const { sql, objects, log } = deps;
  const { transcriptId, accountIds, tries, passageCount } = begun;
  const seconds = TRY_SECONDS[tries - 1];
  if (seconds === undefined) log.error('a transcript cannot be indexed', { transcriptId });
  let lexemes: ReadonlySet<string> | null = seconds === undefined || passageCount === 0 ? new Set() : null;
  if (seconds !== undefined && passageCount === null) {
    // What the object store fails to do says nothing of the captions.
    const cues = await loadCues(objects, begun.cuesKey).catch((error) =>
      postponeTry(sql, begun, isLost(error) ? LOST_AGAIN_SECONDS : seconds),
    );
    if (!cues) return;
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(seconds * WORK_MS)]);
    lexemes = await saveAll(deps, begun, cues, signal);
  }
  for (const accountId of accountIds) await indexEntry(sql, begun, accountId, lexemes);
};

/**
 * Indexes what accounts have received since, until nothing is left or the signal fires. Every step may be repeated. Returns the number of
 * tries.
 */
export const indexReceived = async (deps: IndexDeps, signal: AbortSignal): Promise<number> => {
  let count = 0;
  for (;;) {
    const unindexed = await findUnindexed(deps.sql, AT_ONCE);
    for (const each of unindexed) {
      if (signal.aborted) return count;
      const begun = await beginTry(deps.sql, each);
      if (begun === undefined) continue;
      count += 1;
      await indexTranscript(deps, begun, signal).catch((error) =>
        deps.log.warn('a transcript was not indexed', { error, transcriptId: begun.transcriptId }),
      );
    }
    if (unindexed.length === 0) return count;
  }
};

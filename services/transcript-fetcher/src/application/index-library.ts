import { setImmediate as pause } from 'node:timers/promises';
import type { Passage } from '@tds/transcript-format';
import type { Deps } from '../deps.ts';
import { dictionaryOf } from '../domain/dictionaries.ts';
import { type Token, toTokens, toVector } from '../domain/library-words.ts';
import {
  findUnindexed,
  indexEntries,
  postponeEntries,
  savePassages,
  type Unindexed,
} from '../store/library-index.ts';
import { isLost } from './serve-cached.ts';
import { loadCues } from './track-files.ts';

export type IndexDeps = Pick<Deps, 'sql' | 'objects' | 'files' | 'stemmer' | 'log'>;

/** Entries of one look: some hundredths of a second of work. */
const AT_ONCE = 32;
/** Of the longest recordings of a day. What comes later in a transcript is not found. */
const MAX_PASSAGES = 5_000;
/** Passages whose words are read without a break: some milliseconds. */
const PASSAGES_A_TURN = 50;
/** A transcript whose cues the store has lost waits until somebody reads it, which fetches them again. */
const LOST_AGAIN_SECONDS = 86_400;
const FAILED_AGAIN_SECONDS = 60;

type Read = Passage & { readonly tokens: readonly Token[] };

const readWords = async (passages: readonly Passage[]): Promise<Read[]> => {
  const read: Read[] = [];
  for (const passage of passages) {
    read.push({ ...passage, tokens: toTokens(passage.text) });
    if (read.length % PASSAGES_A_TURN === 0) await pause();
  }
  return read;
};

/** Passages with their lexemes, and all lexemes, each once. */
const stem = async ({ stemmer }: IndexDeps, dictionary: string, passages: readonly Passage[]) => {
  const read = await readWords(passages);
  const words = new Set<string>();
  for (const { tokens } of read) for (const { word } of tokens) words.add(word);
  const lexemeOf = await stemmer(dictionary, words);
  return {
    passages: read.map(({ tokens, startMs, endMs, text, captions }, position) => ({
      ...{ position, startMs, endMs, text, captions },
      vector: toVector(tokens, lexemeOf),
    })),
    lexemes: [...new Set([...words].map(lexemeOf))],
  };
};

const indexTranscript = async (deps: IndexDeps, unindexed: Unindexed): Promise<void> => {
  const { languageCode, cuesKey, chapters, hasPassages } = unindexed;
  const entries = { ...unindexed, dictionary: dictionaryOf(languageCode) };
  if (hasPassages) return await indexEntries(deps.sql, entries);
  const cues = await loadCues(deps.objects, cuesKey);
  const passages = (await deps.files.split(cues, { chapters })).slice(0, MAX_PASSAGES);
  await savePassages(deps.sql, entries, await stem(deps, entries.dictionary, passages));
};

/**
 * Indexes what accounts have received since, until nothing is left or the signal fires. Every step may be repeated, and two instances may do
 * the same one. Returns the number of transcripts.
 */
export const indexReceived = async (deps: IndexDeps, signal: AbortSignal): Promise<number> => {
  let count = 0;
  for (;;) {
    const unindexed = await findUnindexed(deps.sql, AT_ONCE);
    for (const each of unindexed) {
      if (signal.aborted) return count;
      try {
        await indexTranscript(deps, each);
        count += 1;
      } catch (error) {
        const seconds = isLost(error) ? LOST_AGAIN_SECONDS : FAILED_AGAIN_SECONDS;
        await postponeEntries(deps.sql, each, seconds);
        if (!isLost(error))
          deps.log.warn('a transcript was not indexed', { error, transcriptId: each.transcriptId });
      }
    }
    if (unindexed.length === 0) return count;
  }
};

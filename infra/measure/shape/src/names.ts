import type { SourceFile } from './tree.ts';

/** Words that were our own, as patterns of identifiers, and the word of the field. */
const replaced: readonly (readonly [RegExp, string])[] = [
  [/\b(?:MOST|LONGEST|LARGEST)(?:_\w+)?\b/g, 'MAX_'],
  [/\b(?:LEAST|SMALLEST|SHORTEST|FEWEST)(?:_\w+)?\b/g, 'MIN_'],
  [/\bparts(?=: \w+Deps\b)/g, 'deps'],
  [/\b(?:lookAround|startLooking|stir|isStirred|heed\w*)\b/g, 'poll, wake'],
  [/\b(?:lendKit|lentKit)\b/g, 'service kit'],
  [/\b\w*[mM]isfit\w*(?=[(.])/g, 'mismatched payment'],
  [/\b(?:DueRound|dueIsDone|takeDues|settleSoon)\b/g, 'settlement'],
  [/\b(?:takePlaces|LanePlaces|leavePlace)\b/g, 'slot'],
  [/\b(?:learnt\w*|whatWasLearnt)(?=\()/g, 'facts'],
  [/\b(?:siftFeed|meetsKnown|\w*Errands?)(?=\()/g, 'classifyEntries, reachedKnown, action'],
  [/\b(?:sayFinding|sentenceOf)\b/g, 'formatFinding, errorMessage'],
];

const IDEAS = 'packages/base/src/async/';
/** What that folder has once, by the shapes of a second one in the product. */
const ideas: typeof replaced = [
  [/\bsetImmediate\b|\bprocess\.nextTick\b|from 'dataloader'/g, 'createBatcher, nextTurn'],
  [/\bMap<string, Promise\b/g, 'createSingleFlight'],
  [/Promise\.race\(.*\b(?:delay|late|limit|sleep|timeout)\b|setTimeout\([^;]*\breject\b/g, 'withDeadline'],
  [/_MS \* 2 \*\*|\b(?:Exponential|Constant)Backoff\b/g, 'createBackoff, retry'],
  [/\bconst create(?:Semaphore|Deadline|Backoff)\b/g, 'the one of @tds/base'],
];

/** Identifiers of sources that the field has another word for. SQL keeps the names of tables. */
export const replacedNames = (files: readonly SourceFile[]) =>
  files
    .filter(({ path, kind }) => kind === 'typescript' && !path.startsWith('infra/measure/shape/src/names.'))
    .flatMap(({ path, text, part }) =>
      [...replaced, ...(part === 'product' && !path.startsWith(IDEAS) ? ideas : [])].flatMap(
        ([pattern, word]) =>
          Array.from(text.matchAll(pattern), ({ 0: name, index }) => {
            const line = text.slice(0, index).split('\n').length;
            return { where: `${path}:${line}`, name, word };
          }),
      ),
    );

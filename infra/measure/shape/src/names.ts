import type { SourceFile } from './tree.ts';

/** Words that were our own, and the word of the field. They stand in no identifier, table or comment, in any case. */
const words: readonly (readonly [RegExp, string])[] = [
  [/\berrands?\b/gi, 'action'],
  [/\bmisfits?\b/gi, 'mismatched payment'],
  [/\bsigns? of life\b/gi, 'heartbeat'],
  [/\bdues\b/gi, 'settlements'],
  [/\b(?:look around|stirs?|heeds?)\b/gi, 'poll, wake'],
  [/\blanes?\b/gi, 'priority'],
  [/\bdisown\w*\b/gi, 'waive'],
  [/\b(?:verdicts?|judge[ds]?|judgements?)\b/gi, 'meaning, outcome, evaluate'],
  [/\bstandings?\b/gi, 'phase, net, status'],
  [/\b[a-z]+ News\b|\bnews (?:Id|Of|At)\b/g, 'changes, new videos, isNew'],
  [/\btold to\b/gi, 'reported to'],
  [/\bhalt(?:s|ed|ing)?\b/gi, 'pause'],
  [/\bmost (?:Ms|Rows|Bytes|Length)\b/g, 'max'],
  [/\bvouch\w*/gi, 'renew, verify'],
  [/\b(?:retakes?|retaken)\b/gi, 'restore'],
];

/** Patterns of identifiers that were our own. */
const replaced: typeof words = [
  [/\b(?:MOST|LONGEST|LARGEST)(?:_\w+)?\b/g, 'MAX_'],
  [/\b(?:LEAST|SMALLEST|SHORTEST|FEWEST)(?:_\w+)?\b/g, 'MIN_'],
  [/\bparts(?=: \w+Deps\b)/g, 'deps'],
  [/\b\w*(?:giv|gav)\w*_?[bB]ack\w*/gi, 'release, refund'],
  [/\b\w*(?:(?:read|row|match|take)News|NewsCursor)\b/gi, 'changes'],
  [/\b(?:learnt\w*|whatWasLearnt)(?=\()/g, 'facts'],
  [/\b(?:learnUnknown|mayGrow|StoredRow|provedNothing)\b/g, 'keep, canRequestMore, the row of what, isNeutral'],
  [/setTimeout as (?!delay\b)\w+/g, 'delay'],
  [/export (?:type )?\{[^}]*? as (?!default)\w+/g, 'the name that it has where it is'],
];

const IDEAS = 'packages/base/src/async/';
/** What that folder has once, by the shapes of a second one in the product. */
const ideas: typeof words = [
  [/\bsetImmediate\b|\bprocess\.nextTick\b|from 'dataloader'/g, 'createBatcher, nextTurn'],
  [/\bMap<string, Promise\b/g, 'createSingleFlight'],
  [/Promise\.race\(.*\b(?:delay|late|limit|sleep|timeout)\b|setTimeout\([^;]*\breject\b/g, 'withDeadline'],
  [/_MS \* 2 \*\*|\b(?:Exponential|Constant)Backoff\b/g, 'createBackoff, retry'],
  [/\bconst create(?:Semaphore|Deadline|Backoff)\b/g, 'the one of @tds/base'],
];

const splitNames = (text: string): string =>
  text.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll('_', ' ');

const find = (path: string, text: string, patterns: typeof words) =>
  patterns.flatMap(([pattern, word]) =>
    Array.from(text.matchAll(pattern), ({ 0: name, index }) => {
      return { where: `${path}:${text.slice(0, index).split('\n').length}`, name, word };
    }),
  );

/** Names of sources, tables and columns that the field has another word for. */
export const replacedNames = (files: readonly SourceFile[]) =>
  files
    .filter(({ path, kind }) => kind !== 'page' && !path.startsWith('infra/measure/shape/src/names.'))
    .flatMap(({ path, text, part }) => {
      const own = part === 'product' && !path.startsWith(IDEAS) ? ideas : [];
      return [...find(path, splitNames(text), words), ...find(path, text, [...replaced, ...own])];
    });

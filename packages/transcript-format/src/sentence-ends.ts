import de from 'cldr-segments-full/segments/de/suppressions.json' with { type: 'json' };
import en from 'cldr-segments-full/segments/en/suppressions.json' with { type: 'json' };
import es from 'cldr-segments-full/segments/es/suppressions.json' with { type: 'json' };
import fr from 'cldr-segments-full/segments/fr/suppressions.json' with { type: 'json' };
import it from 'cldr-segments-full/segments/it/suppressions.json' with { type: 'json' };
import pt from 'cldr-segments-full/segments/pt/suppressions.json' with { type: 'json' };
import ru from 'cldr-segments-full/segments/ru/suppressions.json' with { type: 'json' };

const sentences = new Intl.Segmenter('und', { granularity: 'sentence' });

/** Characters on either side of a position that decide what it is. */
export const CONTEXT = 50;

export const isBoundary = (segmenter: Intl.Segmenter, text: string, at: number): boolean => {
  if (at >= text.length) return true;
  const from = Math.max(0, at - CONTEXT);
  return segmenter.segment(text.slice(from, at + CONTEXT)).containing(at - from)?.index === at - from;
};

/** More are no gap between sentences. */
const spaces = /\s{0,32}/y;
export const skipSpaces = (text: string, at: number): number => {
  spaces.lastIndex = at;
  return spaces.test(text) ? spaces.lastIndex : at;
};

/** Ends of Tibetan and Greek sentences, which Unicode does not count. */
const otherMark = '[\\u0f0d\\u0f0e\\u037e]|(?<=\\p{Script=Greek});';
/** A quote that stands before a letter opens the next sentence. */
const closing = `(?:[\\p{Sentence_Terminal}\\p{Pe}\\p{Pf}]|[\\p{Pi}"'](?![\\p{L}\\p{N}]))`;
/** Marks that may end a sentence, with what closes behind them. */
export const sentenceMark = new RegExp(`(?:\\p{Sentence_Terminal}|${otherMark})${closing}*`, 'gu');
/** Marks that end a sentence whatever follows; Unicode joins them to a bracket that opens behind them. */
const certainMark = new RegExp(`(?:[。！？｡]|${otherMark})${closing}*$`, 'u');
/** All others need a space behind them. */
const eastAsianMark = new RegExp(`[。．！？｡]${closing}*$`, 'u');
/** What closes behind a mark is not longer, unless it is hostile. */
const MAX_MARK = 8;
/** Most dots within sentences, which is cheaper than to segment, and a quote inside a sentence. */
const goesOn = /^(?:[.\p{Pf}"']\s+\p{Ll}|[」』]\s?(?:と|って))/u;

/** Words of one language that are abbreviations in another: `on.` is an Italian title. */
const words = new Set(
  'all am cap cat com dir end ill jeu led long mai mar may mer on out set ver vie'.split(' '),
);
const furtherAbbreviations =
  'al bzw ca Co EE etc Gen Hon Jh max Mlle Mme No núm Pres resp Sen Ud Uds usw UU гр др им лат млн млрд напр рис см стр डॉ';
/** Of all languages: few texts have so many sentences that one of them has to end with what another language abbreviates. */
const abbreviations: ReadonlySet<string> = new Set([
  ...[de, en, es, fr, it, pt, ru]
    .flatMap(({ segments }) => segments.segmentations.SentenceBreak.standard)
    .flatMap(({ suppression }) => suppression.split(' '))
    .filter((part) => !words.has(part.slice(0, -1))),
  ...furtherAbbreviations.split(' ').map((word) => `${word}.`),
]);
const MAX_ABBREVIATION = 24;
const separator = /[\s\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Pd}"'/]/u;

/** `J.`, `U.S.`, `z.B.`, `т.д.`, `t.ex.`: one word in Indic and East Asian scripts may be one letter. */
const initials = /^(?:[\p{LC}\p{Script=Arabic}\p{Script=Hebrew}]\.)+(?:\p{L}{1,3}\.)?$/u;
/** `29. Mai`, `II. Weltkrieg`, and the number of a list. */
const ordinal = /^(?:\p{Nd}{1,2}|[IVX]{1,5})\.$/u;
/** In capitals a word with a vowel may be a whole sentence. */
const consonants = /^\P{Ll}[^\p{Ll}AEIOUY]+$/u;

/** Whether a word ends at `end` that is short for another, so that what it belongs to follows. */
export const isAbbreviation = (text: string, end: number): boolean => {
  if (text[end - 1] !== '.') return false;
  let start = end - 1;
  while (start > 0 && start > end - MAX_ABBREVIATION && !separator.test(text.charAt(start - 1))) start -= 1;
  const word = text.slice(start, end);
  const [first, rest] = [word.charAt(0), word.slice(1)];
  return (
    initials.test(word) ||
    ordinal.test(word) ||
    abbreviations.has(word) ||
    abbreviations.has(first.toLowerCase() + rest) ||
    (consonants.test(word) && abbreviations.has(first + rest.toLowerCase()))
  );
};

/** Whether a sentence ends at `end`, behind a mark and what closes it. After an abbreviation it may, and so does not. */
export const endsSentence = (text: string, end: number): boolean => {
  const next = skipSpaces(text, end);
  const mark = text.slice(Math.max(0, end - MAX_MARK), end);
  return (
    (next > end || next === text.length || eastAsianMark.test(mark)) &&
    !goesOn.test(text.slice(end - 1, end + 3)) &&
    !isAbbreviation(text, end) &&
    (certainMark.test(mark) || isBoundary(sentences, text, next))
  );
};

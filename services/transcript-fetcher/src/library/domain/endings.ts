import { SIMPLE_DICTIONARY } from './dictionaries.ts';

/** A rule for the endings that the stemmer of a language does not know. */
type Endings = {
  /** The form of a word whose stem is taken: of a plural its singular. */
  readonly base?: (word: string) => string;
  /** The stem of a word, as its other forms have it. */
  readonly stem?: (stem: string, word: string) => string;
};

type Rule = readonly [pattern: RegExp, to: string | ((found: string, ...parts: string[]) => string)];

/** The first rule that fits. */
const replaceBy =
  (...rules: readonly Rule[]) =>
  (word: string): string => {
    const rule = rules.find(([pattern]) => pattern.test(word));
    return rule ? word.replace(rule[0], rule[1] as string) : word;
  };

/** From pairs of a form and its base. */
const replaceWords = (pairs: string): Rule => {
  const bases = new Map(pairs.split(', ').map((pair) => pair.split(' ') as [string, string]));
  return [new RegExp(`^(?:${[...bases.keys()].join('|')})$`, 'u'), (form) => bases.get(form) ?? form];
};
const keepWords = (words: string): Rule => [new RegExp(`^(?:${words.replaceAll(' ', '|')})$`, 'u'), '$&'];

const unaccent = (letters: string): string => letters.normalize('NFD').replaceAll(/\p{M}/gu, '');

/** Snowball leaves a vowel and consonants alone: años, islas, olhos. */
const SHORT_PLURAL: Rule = [/^([aeiouáéíóúâêô][^aeiouáéíóúâêôãõ]{1,3}[aeo])s$/u, '$1'];

const spanish: Endings = {
  base: replaceBy(
    SHORT_PLURAL,
    [/[áéíóú][^aeiouáéíóú]{1,3}enes$/u, (ending) => unaccent(ending).slice(0, -2)],
    [/(imag|jov|exam|orig|crim|volum|marg|virg|regim|ord)enes$/u, '$1en'],
  ),
  // luz, luces
  stem: (stem, word) => (word.endsWith('z') ? stem.replace(/z$/u, 'c') : stem),
};

const portuguese: Endings = {
  base: replaceBy(
    SHORT_PLURAL,
    keepWords(
      'mãe mães mae maes mais pais cais vais sais jamais demais ademais seis reis leis dois pois depois herois heróis',
    ),
    [/(?:õ|ã)es$/u, 'ão'],
    [/[oa]es$/u, 'ao'],
    [/ais$/u, 'al'],
    [/veis$/u, 'vel'],
    [/([áéíóú][^aeiouáéíóú]{1,2})eis$/u, '$1il'],
    [/[ée]is$/u, 'el'],
    [/[óo]is$/u, 'ol'],
    [/uis$/u, 'ul'],
    [/([aeiou])ns$/u, '$1m'],
  ),
};

const italian: Endings = {
  base: replaceBy(replaceWords('uomini uomo'), [/^([aeiouàèéìòù][^aeiouàèéìòù]{1,3})[aeio]$/u, '$1']),
  // lago, laghi; amica, amiche
  stem: (stem) => stem.replace(/([cg])h$/u, '$1'),
};

const french: Endings = {
  base: replaceBy(
    replaceWords(
      'travaux travail, vitraux vitrail, coraux corail, émaux émail, emaux email, baux bail, yeux oeil, feux feu, jeux jeu, cheveux cheveu, neveux neveu, voeux voeu, lieux lieu, bijoux bijou, cailloux caillou, choux chou, genoux genou, hiboux hibou',
    ),
  ),
};

const dutch: Endings = {
  base: replaceBy(
    replaceWords(
      'kinderen kind, kinders kind, eieren ei, bladeren blad, goederen goed, liederen lied, kalveren kalf, lammeren lam, runderen rund, volkeren volk, raderen rad, steden stad, schepen schip, leden lid, dagen dag, daken dak, gaten gat, glazen glas, goden god, oorlogen oorlog, paden pad, wegen weg',
    ),
    // kans, kansen; gans, ganzen: of the singular Snowball takes the s for an ending.
    [/^([^aeiouy]*[aeiouy]{1,2}[lnr])[sz]en$/u, '$1s'],
  ),
  // huis, huizen; brief, brieven
  stem: (stem) => stem.replace(/z$/u, 's').replace(/v$/u, 'f'),
};

const german: Endings = {
  // Ärztin, Ärztinnen
  base: replaceBy([/(?<=\p{L}{4})(?<!beg|gew|entr|verr|bes|ers|sp|ger)innen$/u, 'in']),
};

const danish: Endings = {
  base: (word) => word.replaceAll('aa', 'å').replaceAll('oe', 'ø'),
};

const arabic: Endings = {
  // Of "and the" Snowball leaves the first letter; Lucene's ArabicStemmer does not. Parents begin so, too.
  base: replaceBy([/^وال(?!د)(?=\p{L}{3})/u, 'ال']),
};

/** Of Vietnamese, among the languages without a stemmer: y and i are written for one sound under a tone. */
const TONED_Y: Readonly<Record<string, string>> = { ỹ: 'ĩ', ỷ: 'ỉ', ỵ: 'ị', ỳ: 'ì' };
const simple: Endings = { base: (word) => word.replaceAll(/[ỹỷỵỳ]/gu, (letter) => TONED_Y[letter] ?? letter) };

const BY_DICTIONARY: Readonly<Record<string, Endings>> = {
  arabic_stem: arabic,
  danish_stem: danish,
  dutch_stem: dutch,
  french_stem: french,
  german_stem: german,
  italian_stem: italian,
  norwegian_stem: danish,
  portuguese_stem: portuguese,
  [SIMPLE_DICTIONARY]: simple,
  spanish_stem: spanish,
};

/** The form of a word whose stem its dictionary takes. */
export const baseForm = (dictionary: string, word: string): string =>
  BY_DICTIONARY[dictionary]?.base?.(word) ?? word;

/** The stem of a word as all of its forms have it. */
export const commonStem = (dictionary: string, stem: string, word: string): string =>
  BY_DICTIONARY[dictionary]?.stem?.(stem, word) ?? stem;

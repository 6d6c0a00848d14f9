/** A rule by which spellings of one word are compared as one, for the table of the guide. */
type FoldRule = {
  readonly script: string;
  /** What is compared as the same. */
  readonly same: string;
  /** Who says so. */
  readonly source: string;
  readonly apply: (text: string) => string;
};

const replace =
  (pattern: RegExp, to: string | ((found: string) => string)) =>
  (text: string): string =>
    typeof to === 'string' ? text.replace(pattern, to) : text.replace(pattern, (found) => to(found));

/** Each character of a `from` becomes the text beside it. */
const map = (table: Readonly<Record<string, string>>): FoldRule['apply'] => {
  const entries = Object.entries(table);
  const replacements = new Map(entries.flatMap(([to, from]) => [...from].map((each) => [each, to])));
  return replace(
    new RegExp(`[${entries.map(([, from]) => from).join('')}]`, 'gu'),
    (found) => replacements.get(found) ?? found,
  );
};

/** Rows of characters become others in the same order. */
const mapRows = (rows: readonly (readonly [from: number, to: number, length: number])[]): FoldRule['apply'] => {
  const characters = rows.flatMap(([from, to, length]) =>
    Array.from({ length }, (_, n) => [String.fromCodePoint(from + n), String.fromCodePoint(to + n)] as const),
  );
  const replacements = new Map(characters);
  return replace(
    new RegExp(`[${characters.map(([from]) => from).join('')}]`, 'gu'),
    (found) => replacements.get(found) ?? found,
  );
};

const isDigit = (codePoint: number): boolean => /\p{Nd}/u.test(String.fromCodePoint(codePoint));
/** Digits of a script stand in the order of their values. */
const toAsciiDigit = (digit: string): string => {
  const codePoint = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && isDigit(codePoint - value - 1)) value += 1;
  return `${value}`;
};

/**
 * A sign inside of a word that its writers leave out, among signs that people type. It depends on the letters around it, so it is the only rule
 * that a character alone does not show.
 */
export const INNER_SIGNS =
  /"(?<=\p{sc=Hebrew}\p{Mn}*")(?=\p{sc=Hebrew})|'(?<=\p{sc=Cyrillic}')(?=\p{sc=Cyrillic})|·(?<=l·)(?=l)/giu;

/** Before compatible forms become letters: `№5` is two words. */
export const SIGN_RULE: FoldRule = {
  script: 'signs',
  same: '№, ™ and the like are no words; ½, ㎞ and the like stand apart from the word or number beside them',
  source: 'Unicode, UAX #29: they are no letters',
  apply: replace(/[[\p{S}\p{P}]--[\0-\x7f]]|\p{No}/gv, (sign) => {
    if ('№™℠℡'.includes(sign)) return ' ';
    const plain = sign.normalize('NFKC');
    const isPart = plain === sign || !/[\p{L}\p{N}]/u.test(plain);
    return isPart || (/\p{No}/u.test(sign) && !plain.includes('⁄')) ? sign : ` ${plain} `;
  }),
};

/** Letters that have a nukta and one code point. */
const foldComposed = map({ न: '\u0929', र: '\u0931', ळ: '\u0934' });

/** Of text in one case and compatible form, with signs that people type. */
export const LETTER_RULES: readonly FoldRule[] = [
  {
    script: 'Hebrew, Cyrillic, Catalan',
    same: 'ארה"ב and ארהב, п’ять and пять, col·legi and collegi',
    source: 'Unicode, UAX #29, WB6 and WB7',
    apply: replace(INNER_SIGNS, ''),
  },
  {
    script: 'all',
    same: 'digits of each script: ۲۰۲۴, २०२४ and 2024',
    source: 'Unicode, category Nd; Lucene DecimalDigitFilter',
    apply: replace(/[\p{Nd}--[0-9]]/gv, toAsciiDigit),
  },
  {
    script: 'Arabic',
    same: 'letters of the Arabic, Persian and Urdu keyboards: ك and ک; ي, ی and ى; ه, ہ, ە and ۀ',
    source: 'Lucene PersianNormalizer',
    apply: map({ ك: 'ک', ي: 'یى', ه: 'ہەۀھ' }),
  },
  {
    script: 'Arabic',
    same: 'a word whose parts a non-joiner separates: کتاب‌ها, کتابها and کتاب ها',
    source: 'OpenSearch, Persian analyzer',
    apply: replace(/\u200c(?<!\p{sc=Arabic}\p{Mn}*\u200c)/gu, ''),
  },
  {
    script: 'Devanagari and other scripts of India',
    same: 'letters with and without nukta (ज़, ज); ँ, ं and a nasal without its vowel (हिन्दी, हिंदी)',
    source: 'Lucene IndicNormalizer, HindiNormalizer',
    apply: (text) =>
      foldComposed(text)
        .replace(/[\u093c\u09bc\u0a3c\u0abc\u0b3c\u0cbc]/gu, '')
        .replace(/\u0901|[ङञणनम]\u094d/gu, '\u0902'),
  },
  {
    script: 'Bengali, Malayalam',
    same: 'ৎ and ত্; letters without a vowel in both encodings: ൻ and ന്‍',
    source: 'Unicode, chapter 12',
    apply: map({ ত্: 'ৎ', ണ്: 'ൺ', ന്: 'ൻ', ര്: 'ർ', ല്: 'ൽ', ള്: 'ൾ', ക്: 'ൿ' }),
  },
  {
    script: 'Armenian',
    same: 'words with and without ՞, ՛ and ՜; և, եւ and եվ',
    source: 'Unicode, UAX #29: the marks are letters of a word',
    apply: (text) => text.replace(/[՛՜՞]/gu, '').replaceAll('եվ', 'եւ'),
  },
  {
    script: 'Thai, Lao',
    same: 'marks in both orders: นํ้า and น้ำ',
    source: 'PyThaiNLP normalize',
    apply: replace(/[\u0e4d\u0ecd][\u0e48-\u0e4b\u0ec8-\u0ecb]/gu, (marks) => [...marks].reverse().join('')),
  },
  {
    script: 'Ethiopic',
    same: 'letters of one sound in Amharic: ሠ and ሰ; ሐ, ኀ and ሀ; ዐ and አ; ፀ and ጸ',
    source: 'Unicode; usual in Amharic analyzers',
    apply: mapRows([
      [0x1220, 0x1230, 8],
      [0x1210, 0x1200, 8],
      [0x1280, 0x1200, 8],
      [0x12d0, 0x12a0, 7],
      [0x1340, 0x1338, 7],
    ]),
  },
  {
    script: 'Han',
    same: '臺 and 台',
    source: 'Ministry of Education of Taiwan, both are in use',
    apply: map({ 台: '臺' }),
  },
];

/** Letters that are no other letter with a mark; accents and vowel marks of Latin, Greek, Cyrillic, Arabic and Hebrew go after them. */
export const LATIN_RULE: FoldRule = {
  script: 'Latin and others',
  same: 'letters with and without their accents; ß and ss, æ and ae, œ and oe, ø and o, ł and l, đ and d, þ and th, ə and e, ı and i; ς and σ',
  source: 'Unicode; Postgres unaccent',
  apply: map({
    ...{ ss: 'ß', ae: 'æ', oe: 'œ', th: 'þ', l: 'ł', o: 'ø', d: 'đð', h: 'ħ', i: 'ı', e: 'ə', σ: 'ς', ا: 'ٱ' },
  }),
};

/** All rules, as the guide lists them. */
export const FOLD_RULES: readonly FoldRule[] = [LATIN_RULE, SIGN_RULE, ...LETTER_RULES];

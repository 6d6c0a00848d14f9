import { FOLD_RULES } from '@tds/transcript-format/fold-rules';
import { OWN_ENDINGS, STEMMERS } from '@tds/transcript-format/stemmers';

const names = new Intl.DisplayNames('en', { type: 'language' });

/** What is spelled differently and found alike, a row each. */
export const spellingsTable = (): string =>
  [
    '| Script | Found alike | Source |',
    '|---|---|---|',
    ...FOLD_RULES.map(({ script, same, source }) => `| ${script} | ${same} | ${source} |`),
  ].join('\n');

/** The languages whose endings do not count. */
export const endingsTable = (): string =>
  [
    '| Language | Forms beyond its stemmer |',
    '|---|---|',
    ...Object.keys(STEMMERS).map((code) => `| ${names.of(code)} (${code}) | ${OWN_ENDINGS[code] ?? ''} |`),
  ].join('\n');

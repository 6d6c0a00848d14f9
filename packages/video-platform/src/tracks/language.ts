import { match } from '@formatjs/intl-localematcher';

/** Canonical form (`iw` becomes `he`), or null for what is no BCP 47 tag. */
export const canonical = (code: string): string | null => {
  try {
    return Intl.getCanonicalLocales(code)[0] ?? null;
  } catch {
    return null;
  }
};

/** Norwegian without further word is Bokmål; the two codes name one language here. */
const aliases: Readonly<Record<string, string>> = { no: 'nb' };
const primary = (tag: string): string => {
  const language = new Intl.Locale(tag).language;
  return aliases[language] ?? language;
};

const NONE = 'und';

/**
 * The code among `codes` that is the wanted language or its nearest variant (en-GB for en, iw for he, no for nb); null
 * where none is. Both sides are compared in canonical form. The matcher alone would also offer neighbours (Spanish for
 * Catalan), so only codes of the same primary language take part.
 */
export const nearestCode = (wanted: string, codes: readonly string[]): string | null => {
  const wantedTag = canonical(wanted);
  if (wantedTag === null) return null;
  const byTag = new Map<string, string>();
  for (const code of codes) {
    const tag = canonical(code);
    if (tag !== null && primary(tag) === primary(wantedTag) && !byTag.has(tag)) byTag.set(tag, code);
  }
  if (byTag.has(wantedTag)) return byTag.get(wantedTag) ?? null;
  if (byTag.size === 0) return null;
  return byTag.get(match([wantedTag], [...byTag.keys()], NONE)) ?? null;
};

export const isExactly = (wanted: string, code: string): boolean =>
  wanted === code || (canonical(wanted) !== null && canonical(wanted) === canonical(code));

export const sameLanguage = (one: string, other: string): boolean =>
  isExactly(one, other) || nearestCode(one, [other]) !== null || nearestCode(other, [one]) !== null;

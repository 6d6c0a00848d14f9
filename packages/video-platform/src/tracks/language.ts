import { match } from '@formatjs/intl-localematcher';

/** Canonical form (`iw` becomes `he`), or null for what is no BCP 47 tag. */
export const canonical = (code: string): string | null => {
  try {
    return Intl.getCanonicalLocales(code)[0] ?? null;
  } catch {
    return null;
  }
};

/** `no` stands for Bokmål (`nb`): the two codes name one language here. */
const aliases: Readonly<Record<string, string>> = { no: 'nb' };
const primary = (tag: string): string => {
  const language = tag.split('-', 1)[0] ?? tag;
  return aliases[language] ?? language;
};

const NONE = 'und';

const likelyFull = (tag: string): string => new Intl.Locale(tag).maximize().toString();

/** Of the tags that mean the same when filled up (zh and zh-Hans for zh-CN), the one that says most by itself. */
const mostExplicit = (wanted: string, tags: readonly string[]): string | null =>
  tags
    .filter((tag) => likelyFull(tag) === likelyFull(wanted))
    .toSorted((one, other) => other.length - one.length)[0] ?? null;

/**
 * The code among `codes` that is the wanted language or its nearest variant (en-GB for en, iw for he, no for nb); null
 * if none is. Both sides are compared in canonical form. The matcher alone would also offer neighbours (Spanish for
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
  const tags = [...byTag.keys()];
  return byTag.get(mostExplicit(wantedTag, tags) ?? match([wantedTag], tags, NONE)) ?? null;
};

export const isExactly = (wanted: string, code: string): boolean =>
  wanted === code || (canonical(wanted) !== null && canonical(wanted) === canonical(code));

/** True if each is a variant of the other's language. */
export const sameLanguage = (one: string, other: string): boolean =>
  one === other || nearestCode(one, [other]) !== null || nearestCode(other, [one]) !== null;

import { match } from '@formatjs/intl-localematcher';

/** The canonical form (`iw` becomes `he`); null if it is not a BCP 47 tag. */
const canonical = (code: string): string | null => {
  try {
    return Intl.getCanonicalLocales(code)[0] ?? null;
  } catch {
    return null;
  }
};

/** `no` stands for Bokmål (`nb`). */
const aliases: Readonly<Record<string, string>> = { no: 'nb' };
const primary = (tag: string): string => {
  const language = tag.split('-', 1)[0] ?? tag;
  return aliases[language] ?? language;
};

const NONE = 'und';

const likelyFull = (tag: string): string => new Intl.Locale(tag).maximize().toString();

/** The longest of the tags that maximize to the same locale (zh and zh-Hans for zh-CN). */
const mostExplicit = (target: string, tags: readonly string[]): string | null =>
  tags
    .filter((tag) => likelyFull(tag) === likelyFull(target))
    .toSorted((one, other) => other.length - one.length)[0] ?? null;

/**
 * The wanted language or its nearest variant among `codes` (en-GB for en, iw for he, no for nb), compared in canonical form; null if
 * there is none. The matcher alone would also offer Spanish for Catalan, so only codes of the same primary language take part, and if
 * a script is named, those in it.
 */
export const nearestCode = (target: string, codes: readonly string[]): string | null => {
  const targetTag = canonical(target);
  if (targetTag === null) return null;
  const { script } = new Intl.Locale(targetTag);
  const isAlike = (tag: string): boolean =>
    primary(tag) === primary(targetTag) && (!script || new Intl.Locale(tag).maximize().script === script);
  const byTag = new Map<string, string>();
  for (const code of codes) {
    const tag = canonical(code);
    if (tag !== null && isAlike(tag) && !byTag.has(tag)) byTag.set(tag, code);
  }
  if (byTag.has(targetTag)) return byTag.get(targetTag) ?? null;
  if (byTag.size === 0) return null;
  const tags = [...byTag.keys()];
  return byTag.get(mostExplicit(targetTag, tags) ?? match([targetTag], tags, NONE)) ?? null;
};

/** Compares languages without script and region: what the other is written in may differ. */
export const isSamePrimaryLanguage = (one: string, other: string): boolean => {
  const tags = [canonical(one), canonical(other)];
  return tags.every((tag) => tag !== null) && primary(tags[0] ?? '') === primary(tags[1] ?? '');
};

export const isExactly = (target: string, code: string): boolean =>
  target === code || (canonical(target) !== null && canonical(target) === canonical(code));

/** True if each is a variant of the other's language. */
export const sameLanguage = (one: string, other: string): boolean =>
  one === other || nearestCode(one, [other]) !== null || nearestCode(other, [one]) !== null;

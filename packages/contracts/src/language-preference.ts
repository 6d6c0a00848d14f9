import { z } from 'zod';
import { languageTag } from './ids.ts';

/** Stands for the language that is spoken in a video. */
export const ORIGINAL_LANGUAGE = 'orig';

const MAX_LANGUAGES = 8;
/** Of a preference in canonical form. */
export const MAX_PREFERENCE_LENGTH = 64;
/** Room for blanks. */
const MAX_INPUT_LENGTH = 2 * MAX_PREFERENCE_LENGTH;
const SEPARATOR = ',';

const canonicalLanguage = (input: string): string | null => {
  const tag = input.trim();
  if (tag.toLowerCase() === ORIGINAL_LANGUAGE) return ORIGINAL_LANGUAGE;
  return languageTag.safeParse(tag).data ?? null;
};

/** Null if it is no preference. */
const canonicalPreference = (inputs: readonly string[]): string | null => {
  if (inputs.length > MAX_LANGUAGES) return null;
  const languages = inputs.map(canonicalLanguage);
  const preference = [...new Set(languages)].join(SEPARATOR);
  return languages.includes(null) || preference.length > MAX_PREFERENCE_LENGTH ? null : preference;
};

/**
 * A language, `orig`, or up to eight of them in the order of preference, with commas between them. In canonical form: canonical tags, each
 * once, without blanks.
 */
export const languagePreference = z
  .string()
  .max(MAX_INPUT_LENGTH)
  .transform((text, context) => {
    const canonical = canonicalPreference(text.split(SEPARATOR));
    if (canonical !== null) return canonical;
    context.addIssue('no languages');
    return z.NEVER;
  });

/** The languages of a preference in canonical form, in their order. */
export const languagesIn = (preference: string): readonly string[] => preference.split(SEPARATOR);

const code = /```[\s\S]*?```|`[^`]*`/g;
const internal = /\b(?:cold|rows?|settle[ds]?|settlements?|settling|ramp|books?|slots?)\b/gi;

/**
 * Words of our code and tables in a text for customers, who read of new transcripts, videos, entries, charges, the ledger and limits of
 * a day. Code in backticks does not count.
 */
export const internalWords = (text: string): readonly string[] =>
  text.replaceAll(code, '').match(internal) ?? [];

/** The descriptions and summaries in a document that have such words. */
export const internalDescriptions = (document: object): readonly string[] => {
  const texts: string[] = [];
  JSON.stringify(document, (name, value) => {
    const isShown = ['description', 'summary'].includes(name) && typeof value === 'string';
    if (isShown && internalWords(value).length > 0) texts.push(value);
    return value;
  });
  return texts;
};

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu;
/** What is not seen, or turns the text around; of such characters, scripts need only joiners, and emoji their tags and selectors. */
const UNSEEN = /(?!\u200c|\u200d|[\u{e0020}-\u{e007f}])[\p{Cf}\p{Co}\p{Cn}\p{Cs}]/gu;
const ELLIPSIS = '…';

/** Words of others on one line, without characters that are not seen. */
export const toLine = (text: string): string =>
  text.toWellFormed().replace(BREAKS, ' ').replace(UNSEEN, '').trim();

const asIs = (text: string): string => text;

/**
 * Text as `write` writes it, in at most so many UTF-16 units with the ellipsis. It is cut between letters as people see them, so neither
 * a letter nor an escape is broken.
 */
export const fitText = (text: string, mostUnits: number, write: (text: string) => string = asIs): string => {
  const whole = write(text);
  if (whole.length <= mostUnits) return whole;
  let fitted = '';
  for (const { segment } of graphemes.segment(text)) {
    const next = fitted + write(segment);
    if (next.length + ELLIPSIS.length > mostUnits) break;
    fitted = next;
  }
  return fitted.trimEnd() + ELLIPSIS;
};

import { hasVisibleText, withoutHiddenMarks } from './cues.ts';

export const titleCapBytes = 120;
// Far above the cap, and low enough that trimming an endless run of dots costs no time.
const readCharacters = 2_000;
// Controls and zero width padding, which would disguise a name.
const invisible = /[\p{Cc}\u00ad\u200b\u2060-\u206f\ufeff]/gu;
const forbidden = /[/\\:*?"<>|]/g;
const leading = /^[.\s-]+/;
const trailing = /(?<![.\s\u200c\u200d])[.\s\u200c\u200d]+$/;
const windowsDevice = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])(?= *(?:\.|$))/i;

export const capBytes = (text: string, bytes = titleCapBytes): string => {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes));
  return text.slice(0, read).replace(trailing, '');
};

const makeSafe = (title: string): string => {
  const whole = title.slice(0, readCharacters).toWellFormed();
  const readable = withoutHiddenMarks(whole.replace(/\s/g, ' ').replace(invisible, ''));
  const safeName = readable
    .normalize('NFC')
    .replace(/ {2,}/g, ' ')
    .replace(forbidden, '_')
    .replace(leading, '');
  const cappedName = capBytes(safeName);
  if (!hasVisibleText(cappedName)) return '';
  return windowsDevice.test(cappedName) ? capBytes(`_${cappedName}`) : cappedName;
};

/**
 * An untrusted title as a file name without extension: NFC, at most 120 bytes of UTF-8, safe in shells, archives and on Windows. If nothing
 * is left of the title, returns the fallback, such as the video id.
 */
export const safeFileTitle = (title: string | null, fallback = 'Untitled'): string =>
  // An id may start with a dash, which must stay.
  makeSafe(title ?? '') || makeSafe(fallback.replace(/^-/, '_-')) || 'Untitled';

import { withoutBidiControls } from './bidi-controls.ts';
import { hasVisibleText } from './clean-text.ts';

const titleCapBytes = 120;
// Far above the cap and far below where trimming an endless run of dots would cost time.
const readCharacters = 2_000;
// Controls and zero width padding: a name must read as what it is.
const invisible = /[\p{Cc}\u00ad\u200b\u2060-\u206f\ufeff]/gu;
const forbidden = /[/\\:*?"<>|]/g;
const leading = /^[.\s-]+/;
const trailing = /[.\s\u200c\u200d]+$/;
const windowsDevice = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])(?= *(?:\.|$))/i;

const capBytes = (text: string): string => {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(titleCapBytes));
  return text.slice(0, read).replace(trailing, '');
};

const makeSafe = (title: string): string => {
  const whole = title.slice(0, readCharacters).toWellFormed();
  const readable = withoutBidiControls(whole.replace(/\s/g, ' ').replace(invisible, ''));
  const named = readable.normalize('NFC').replace(/ {2,}/g, ' ').replace(forbidden, '_').replace(leading, '');
  const capped = capBytes(named);
  if (!hasVisibleText(capped)) return '';
  return windowsDevice.test(capped) ? capBytes(`_${capped}`) : capped;
};

/**
 * A stranger's title as a file name without extension: NFC, at most 120 bytes of UTF-8, safe in shells, archives
 * and on Windows. A title of which nothing is left gives the fallback, such as the video id.
 */
export const safeFileTitle = (title: string | null, fallback = 'Untitled'): string =>
  // An id may start with a dash, which must not be lost from it.
  makeSafe(title ?? '') || makeSafe(fallback.replace(/^-/, '_-')) || 'Untitled';

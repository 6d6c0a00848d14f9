import { meanings, RefusedAnswer, refusal } from '../classification/index.ts';

export const PLAYER_MARK = 'ytInitialPlayerResponse';
/** To a variable or to `window["..."]`. */
const ASSIGNMENT = /(?:["'`]\])?\s{0,8}=\s{0,8}\{/y;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** The end (exclusive) of the JSON object that begins at `start`; -1 if it never ends. One pass, no backtracking. */
const findObjectEnd = (page: string, start: number): number => {
  let depth = 0;
  let inString = false;
  for (let at = start; at < page.length; at += 1) {
    const code = page.charCodeAt(at);
    if (inString) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) inString = true;
    else if (code === OPEN) depth += 1;
    else if (code === CLOSE) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
};

/** The JSON text that a watch page assigns to `ytInitialPlayerResponse`. Throws RefusedAnswer if there is none. */
export const extractPlayerJson = (page: string): string => {
  for (let mark = page.indexOf(PLAYER_MARK); mark >= 0; mark = page.indexOf(PLAYER_MARK, mark + 1)) {
    ASSIGNMENT.lastIndex = mark + PLAYER_MARK.length;
    if (!ASSIGNMENT.test(page)) continue;
    const start = ASSIGNMENT.lastIndex - 1;
    const end = findObjectEnd(page, start);
    // An object without an end runs to the end of the page, so later marks cannot help.
    if (end < 0) break;
    return page.slice(start, end);
  }
  throw new RefusedAnswer(refusal('page_without_player', meanings.foreign));
};

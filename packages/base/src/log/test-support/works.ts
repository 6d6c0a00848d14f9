import { writeLog } from './written-line.ts';

/** For counted steps. */
export const works = {
  'a logged text': (text: string) => writeLog('x', { text, [text]: 1 }),
};

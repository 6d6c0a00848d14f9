import { expect, it } from '@jest/globals';
import { transcriptFormat } from '@tds/contracts';
import { mainFormats, moreFormats } from './formats.ts';

it('every format of the API can be chosen once: a text to read first, two beside it, the others behind', () => {
  const offered = [...mainFormats, ...moreFormats].map(([format]) => format);
  expect(offered.toSorted()).toEqual(transcriptFormat.options.toSorted());
  expect(offered[0]).toBe('md');
  expect(mainFormats).toHaveLength(3);
});

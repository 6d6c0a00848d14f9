import { expect, it } from '@jest/globals';
import { errorCodes } from '@tds/errors';
import { errorSections, errorsReferenceMarkdown } from './errors-reference.ts';

it('the reference has a section for every class, at which envelopes point, and every code with its remedy', () => {
  const sections = errorSections();
  for (const [code, { errorClass, remedy }] of Object.entries(errorCodes)) {
    const own = sections.flatMap(({ name, codes }) =>
      codes.filter((one) => one.code === code && one.isOwn).map((one) => [name, one.remedy]),
    );
    expect(own).toEqual([[errorClass, remedy]]);
    expect(errorsReferenceMarkdown()).toContain(` | ${remedy} |`);
  }
});

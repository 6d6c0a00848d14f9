import { expect, it } from '@jest/globals';
import { errorCodes } from '@tds/contracts';
import { errorsReferenceHtml } from './errors-reference.ts';

it('the reference has a section for every class, at which envelopes point, and every code', () => {
  const page = errorsReferenceHtml();
  for (const [code, { errorClass }] of Object.entries(errorCodes)) {
    expect(page).toContain(`<section id="${errorClass}">`);
    expect(page).toContain(`<code>${code}</code>`);
  }
  expect(page).not.toMatch(/<script/i);
});

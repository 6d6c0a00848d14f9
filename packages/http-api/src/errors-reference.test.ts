import { expect, it } from '@jest/globals';
import { errorCodes } from '@tds/contracts';
import escapeHtml from 'escape-html';
import { errorsReferenceHtml, errorsReferenceMarkdown } from './errors-reference.ts';

it('the reference has a section for every class, at which envelopes point, and every code with its remedy', () => {
  const page = errorsReferenceHtml();
  for (const [code, { errorClass, remedy }] of Object.entries(errorCodes)) {
    expect(page).toContain(`<section id="${errorClass}">`);
    expect(page.split(`<tr id="${code}">`)).toHaveLength(2);
    expect(page).toContain(`<td>${escapeHtml(remedy)}</td>`);
    expect(errorsReferenceMarkdown()).toContain(` | ${remedy} |`);
  }
  expect(page).not.toMatch(/<script/i);
});

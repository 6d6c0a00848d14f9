import { describe, expect, it } from '@jest/globals';
import { fillIn } from './facts.ts';
import { layout } from './layout.ts';
import { markdownHtml, markdownTable } from './markdown.ts';

const MARKUP = '<img src=x onerror=alert(1)><script>alert(1)</script>';

describe('text that is markup is shown as text', () => {
  it.each([
    ['a heading', `# ${MARKUP}`],
    ['a paragraph', `Hello ${MARKUP}`],
    ['a block', `${MARKUP}\n\nmore`],
    ['a cell', markdownTable(['Title'], [[MARKUP]])],
    ['code', `\`${MARKUP}\``],
    ['a block of code', `\`\`\`json\n${MARKUP}\n\`\`\``],
    ['the language of a block of code', `\`\`\`${MARKUP}\nx\n\`\`\``],
    ['the text of a link', `[${MARKUP}](/docs)`],
    ['the address of a link', `[x](/docs"onmouseover="alert(1))`],
    ['the text of an image', `![${MARKUP}](x)`],
  ])('in %s', (_where, markdown) => {
    const html = markdownHtml(markdown);
    expect(html).not.toMatch(/<(img|script)|<[^>]*"\s*on\w+=/);
  });

  it('in the title and the description of a page', () => {
    const html = layout({ title: MARKUP, description: `"${MARKUP}`, path: '/', body: '' });
    expect(html).not.toContain('<img src=x');
    expect(html).not.toContain('<script>');
  });
});

it.each(['javascript:alert(1)', 'data:text/html,x', 'vbscript:x', '//evil.example/%0a'])(
  'a link to %s leads nowhere else',
  (address) => {
    const html = markdownHtml(`[x](${address})`);
    expect(html).not.toMatch(/href="(javascript|data|vbscript|\/\/)/);
  },
);

it('a cell with a line break or a bar stays in its cell', () => {
  expect(markdownTable(['A'], [['one\ntwo | three']]).split('\n')).toEqual([
    '| A |',
    '| --- |',
    '| one two \\| three |',
  ]);
});

it('a text that names an unknown value is an error', () => {
  expect(() => fillIn('{{nothing}}', {})).toThrow(/nothing/);
});

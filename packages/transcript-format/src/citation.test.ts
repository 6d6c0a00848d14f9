import '@citation-js/plugin-bibtex';
import '@citation-js/plugin-csl';
import '@citation-js/plugin-ris';
import { Cite } from '@citation-js/core';
import { describe, expect, it } from '@jest/globals';
import { citationFormat, type VideoSummary } from '@tds/contracts';
import fc from 'fast-check';
import { citationTypes, formatCitation } from './citation.ts';

const accessed = new Date('2026-11-28T23:59:59.999Z');
const video: VideoSummary = {
  id: '-Qw4w9_gXcQ',
  title: 'How harbours work',
  channel_id: null,
  channel_title: 'Harbour Talks, and Friends',
  published_at: '2024-05-04',
  duration: 600,
};
const cite = (format: 'apa' | 'bibtex' | 'ris' | 'csl-json', changes: Partial<VideoSummary> = {}, at = 91) =>
  formatCitation({ ...video, ...changes }, format, { at, accessed });

type Read = {
  readonly id?: string;
  readonly type?: string;
  readonly title?: string;
  readonly author?: readonly { readonly family?: string; readonly literal?: string; readonly given?: string }[];
  readonly issued?: object;
  readonly accessed?: object;
  readonly publisher?: string;
  readonly URL?: string;
};

/** What another program reads from a file of references; it rejects what its format does not have. */
const parse = (input: unknown) => new Cite(input, { generateGraph: false, strict: true } as never);
const readBack = (text: string) => parse(text).data as readonly Read[];

const onlyOne = (text: string): Read => {
  const [first, ...others] = readBack(text);
  expect(others).toEqual([]);
  return first as Read;
};
const nameOf = ({ author }: Read) => author?.map(({ family, literal }) => family ?? literal);

const hostileTitles = [
  'Braces } { and {{unbalanced',
  'C# {braces} | {{a} and \\{b',
  '100% of \\evil & "quotes" @article{x, #1 _a_ $y$ ~ ^ `b`',
  '<i>Markup</i> <b> & <script>alert(1)</script> a|b',
  'Line\r\nER  - \r\nTY  - BOOK\r\nTI  - Another',
  'مكتبة النهر 日本語のタイトル Ελληνικά 🎬',
  `${'long '.repeat(98)}end`,
];

describe('a citation in BibTeX', () => {
  it('is read by another program as one entry with every fact', () => {
    const read = onlyOne(cite('bibtex'));
    expect(read).toMatchObject({
      ...{ id: 'video:0-0Qw4w9_0gXcQ-91', genre: 'Video', publisher: 'YouTube', title: 'How harbours work' },
      issued: { 'date-parts': [[2024, 5, 4]] },
      accessed: { 'date-parts': [[2026, 11, 28]] },
      URL: 'https://www.youtube.com/watch?v=-Qw4w9_gXcQ&t=91s',
    });
    expect(nameOf(read)).toEqual(['Harbour Talks, and Friends']);
    expect(cite('bibtex')).toContain('  month = may,\n');
  });

  it.each(hostileTitles)('keeps a title and a channel as they are: %j', (title) => {
    const read = onlyOne(cite('bibtex', { title, channel_title: title }));
    const line = title.replaceAll(/\s+/g, ' ');
    expect([read.title, nameOf(read)]).toEqual([line, [line]]);
  });

  it('writes the signs that more readers know than their names', () => {
    const text = cite('bibtex', { title: 'vector<int> | C# ^ ~ \\ {a}' });
    expect(text).toContain(
      'title = {{vector<int> | C\\# \\textasciicircum{} \\textasciitilde{} \\textbackslash{} \\{a\\}}}',
    );
  });

  it('keeps the hyphens of a title and a channel, of which TeX and pandoc would make dashes', () => {
    const title = 'git rebase --onto, and C---';
    const text = cite('bibtex', { title, channel_title: 'Dash--TV' });
    expect(text).toContain('title = {{git rebase -{}-onto, and C-{}-{}-}}');
    const read = onlyOne(text);
    expect([read.title, nameOf(read)]).toEqual([title, ['Dash--TV']]);
  });

  it('has an address without two hyphens in a row, which are a dash in typst', () => {
    const text = cite('bibtex', { id: 'a__b--c---_' });
    expect(text).toContain('url = {https://www.youtube.com/watch?v=a__b-%2Dc-%2D%2D_&t=91s}');
    expect(new URL(String(onlyOne(text).URL)).searchParams.get('v')).toBe('a__b--c---_');
  });

  it('has no year for an undated video: neither that of access, nor one that is no number', () => {
    const text = cite('bibtex', { published_at: null });
    expect(text).not.toMatch(/^ {2}\w*(?:date|year) = /m);
    expect(text).toContain('  note = {Retrieved November 28, 2026},\n');
  });

  it('has as many braces that open as close, whatever the title is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (title) => {
        const text = cite('bibtex', { title, channel_title: title });
        expect([...text].filter((sign) => sign === '{').length).toBe(
          [...text].filter((sign) => sign === '}').length,
        );
        expect(readBack(text)).toHaveLength(1);
      }),
      { numRuns: 30 },
    );
  });
});

describe('a key', () => {
  const idOfVideo = fc.string({ unit: fc.constantFrom(...'ab01-_-_'), minLength: 11, maxLength: 11 });
  const keyOf = (id: string, at: number | null) =>
    JSON.parse(formatCitation({ ...video, id }, 'csl-json', { at, accessed }))[0].id as string;

  it('is the id where pandoc can cite that', () => {
    expect(['dQw4w9WgXcQ', '_Qw4w9_gX-Q'].map((id) => keyOf(id, null))).toEqual(['dQw4w9WgXcQ', '_Qw4w9_gX-Q']);
    expect(['dQw4w9WgXc-', 'a__b--c_d9_'].map((id) => keyOf(id, 9))).toEqual([
      ...['video:0dQw4w9WgXc-0-9', 'video:0a_0_0b-0-0c_0d9_0-9'],
    ]);
  });

  it('has single signs inside, and is of one video alone', () => {
    fc.assert(
      fc.property(idOfVideo, idOfVideo, fc.option(fc.nat(99)), (id, other, at) => {
        expect(keyOf(id, at)).toMatch(/^_?[a-z\d]+(?:[-_:][a-z\d]+)*$/i);
        expect(keyOf(id, at) === keyOf(other, null)).toBe(id === other && at === null);
      }),
    );
  });
});

describe('a citation in RIS', () => {
  it('is read by another program as one video whose channel is one name', () => {
    const read = onlyOne(cite('ris'));
    expect(read).toMatchObject({
      ...{ type: 'motion_picture', title: 'How harbours work', publisher: 'YouTube' },
      issued: { 'date-parts': [[2024, 5, 4]] },
      accessed: { 'date-parts': [[2026, 11, 28]] },
      URL: 'https://www.youtube.com/watch?v=-Qw4w9_gXcQ&t=91s',
    });
    expect(read.author).toEqual([{ family: 'Harbour Talks and Friends', given: '' }]);
    expect(cite('ris', { channel_title: ',' })).not.toContain('AU');
  });

  it('keeps the day of access, also if that of publication is unknown', () => {
    const { accessed } = onlyOne(cite('ris', { published_at: null }));
    expect(accessed).toEqual({ 'date-parts': [[2026, 11, 28]] });
  });

  it('has nothing in a title or a name that Zotero takes for HTML', () => {
    const text = cite('ris', { title: 'List<T> </b> &amp; I <3 AT&T, 1 < 2', channel_title: '<b>A</b>' });
    expect(onlyOne(text).title).toBe('List‹T> ‹/b> ＆amp; I <3 AT&T, 1 < 2');
    expect(nameOf(onlyOne(text))).toEqual(['‹b>A‹/b>']);
  });

  it.each(hostileTitles)('ends no line and no record in a title: %j', (title) => {
    const text = cite('ris', { title });
    expect(onlyOne(text).title?.replaceAll('‹', '<')).toBe(title.replaceAll(/\s+/g, ' '));
    expect(text.match(/^TY {2}- /gm)).toHaveLength(1);
    expect(text.split('\r\n').slice(0, -1)).toHaveLength(11);
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  });
});

describe('a citation in CSL-JSON', () => {
  it('has the fields of the schema, and the channel as a literal name', () => {
    const text = cite('csl-json');
    expect(JSON.parse(text)).toEqual([
      {
        ...{
          id: 'video:0-0Qw4w9_0gXcQ-91',
          type: 'motion_picture',
          genre: 'Video',
          title: 'How harbours work',
        },
        author: [{ literal: 'Harbour Talks, and Friends' }],
        issued: { 'date-parts': [[2024, 5, 4]] },
        accessed: { 'date-parts': [[2026, 11, 28]] },
        publisher: 'YouTube',
        URL: 'https://www.youtube.com/watch?v=-Qw4w9_gXcQ&t=91s',
      },
    ]);
    expect(readBack(text)).toEqual(JSON.parse(text));
  });

  it('has no tag of the format in a title, and any other as it is', () => {
    const [{ title }] = JSON.parse(
      cite('csl-json', { title: 'The <i> and </SUB> tags <span class="x"> vector<int>' }),
    );
    expect(title).toBe('The ‹i> and ‹/SUB> tags ‹span class="x"> vector<int>');
  });

  it('leaves unknown facts out', () => {
    const [read] = JSON.parse(cite('csl-json', { channel_title: null, published_at: null, title: null }));
    expect(Object.keys(read)).toEqual(['id', 'type', 'genre', 'accessed', 'publisher', 'URL']);
  });
});

describe('a citation in APA', () => {
  const facts: readonly Partial<VideoSummary>[] = [
    {},
    { channel_title: 'Acme Inc.' },
    { channel_title: 'Who?' },
    { title: 'What? Why!' },
    { title: null },
    { channel_title: null },
    { channel_title: null, title: 'What?' },
    { published_at: null },
    { channel_title: null, published_at: null },
    { title: null, published_at: null },
    { published_at: '1999-12-31' },
  ];

  it.each(facts)('is what the style of the CSL project makes of the same facts: %j', (changes) => {
    const other = parse(cite('csl-json', changes));
    expect(cite('apa', changes)).toBe(
      other.format('bibliography', { template: 'apa', format: 'text', lang: 'en-US' }),
    );
  });

  it('has no mark that turns text around, which a thesis would keep', () => {
    expect(cite('apa', { title: 'مكتبة\u202e النهر', channel_title: 'Talks' })).toBe(
      'Talks. (2024, May 4). مكتبة النهر [Video]. YouTube. https://www.youtube.com/watch?v=-Qw4w9_gXcQ&t=91s\n',
    );
  });
});

describe('every format', () => {
  it('takes the day of access in UTC, and has a type', () => {
    const day = new Date('2026-01-01T00:00:00Z');
    for (const format of citationFormat.options) {
      const text = formatCitation({ ...video, published_at: null }, format, { at: null, accessed: day });
      expect(text).toMatch(/2026-01-01|January 1, 2026|2026\/01\/01|\[\[2026,1,1\]\]/);
      expect(text).toContain('https://www.youtube.com/watch?v=-Qw4w9_gXcQ');
      expect(text).not.toContain('&t=');
      expect(citationTypes[format]).toMatch(/^(?:text|application)\/[\w.+-]+; charset=utf-8$/);
    }
  });
});

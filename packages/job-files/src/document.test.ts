import { inflateRawSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { unknownVideo } from '@tds/contracts';
import { renderTranscript } from '@tds/transcript-format';
import GithubSlugger from 'github-slugger';
import { marked, type Token, type Tokens } from 'marked';
import { type DocumentFormat, documentParts, documentText } from './document.ts';

const MAX_WORDS = 1_000;
const wordsOf = (text: string): number => text.match(/\S+/g)?.length ?? 0;

/** A talk of so many words in paragraphs. */
const newText = (index: number, words: number, fields: { title?: string; text?: string } = {}) => {
  const video = {
    ...unknownVideo(String(index).padStart(11, 'A')),
    ...{ title: fields.title ?? `Talk ${index}`, channel_title: 'Chan*nel', duration: 61 },
    ...{ published_at: '2024-05-01', isTranslated: false },
  };
  const cues = Array.from({ length: words }, (_, n) => ({
    ...{ startMs: n * 400, durationMs: 400 },
    text: fields.text ?? (n % 8 === 7 ? `word${n}.` : `word${n}`),
  }));
  const render = (format: DocumentFormat) =>
    renderTranscript({ cues, video, language: { delivered: 'en', kind: 'asr' } }, format);
  return { video, render };
};
type Text = ReturnType<typeof newText>;

async function* read(texts: readonly Text[], format: DocumentFormat) {
  for (const { video, render } of texts) yield { video, file: render(format) };
}
type Missing = Parameters<typeof documentText>[0]['missing'];
const wholeOf = async (
  texts: readonly Text[],
  format: DocumentFormat,
  title = 'Talks',
  missing: Missing = [],
): Promise<string> => {
  const chunks: Buffer[] = [];
  const options = { title, format, texts: read(texts, format), missing };
  for await (const chunk of documentText(
    options,
    texts.map(({ video }) => video),
  ))
    chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};
const partsOf = async (
  texts: readonly Text[],
  format: DocumentFormat,
  maxWords = MAX_WORDS,
  missing: Missing = [],
) => {
  const options = { title: 'Talks', name: 'Talks', day: '2024-05-01', format, maxWords, missing };
  const parts: { name: string; text: string }[] = [];
  for await (const { name, data } of documentParts({ ...options, texts: read(texts, format) }))
    parts.push({ name, text: inflateRawSync(data).toString() });
  return parts;
};

const unescapeHtml = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(code))
    .replaceAll('&amp;', '&');
const shownText = (tokens: readonly Token[]): string =>
  tokens
    .map((token) => ('tokens' in token && token.tokens ? shownText(token.tokens) : (token as Tokens.Text).text))
    .join('');
/** The headings and the entries of the table of contents, as another parser of Markdown reads them. */
const outline = (text: string) => {
  const tokens = marked.lexer(text);
  const slugger = new GithubSlugger();
  const headings = tokens
    .filter((token): token is Tokens.Heading => token.type === 'heading')
    .map((token) => ({ depth: token.depth, text: unescapeHtml(shownText(token.tokens)) }));
  const anchors = headings.map((heading) => `#${slugger.slug(heading.text)}`);
  const list = tokens.find((token) => token.type === 'list') as Tokens.List;
  const links: { href: string; text: string }[] = [];
  marked.walkTokens(list.items, (token) => {
    if (token.type === 'link')
      links.push({ href: token.href, text: unescapeHtml(shownText(token.tokens ?? [])) });
  });
  const titles = tokens.flatMap((token) =>
    token.type === 'paragraph' && token.tokens?.[0]?.type === 'strong'
      ? unescapeHtml(shownText(token.tokens))
      : [],
  );
  return { headings, anchors, links, titles, start: list.start };
};

const hostileTitles = [
  'Plain',
  'Plain',
  'C++ & "quotes" <b>: a_b — 100% [x](y) `z` #1',
  '日本語のタイトル！',
  'Émile ⅷ ² Ⓐ ‿ x‍y',
  '🎬🎬',
  '  spaced  out  ',
  '---',
  '# no heading\n## nor this',
  'עברית \u202e‮',
];

describe('a document', () => {
  it('has a title, its contents, and each transcript below its heading, with its facts', async () => {
    const texts = [newText(1, 8), newText(2, 8)];
    expect(await wholeOf(texts, 'md')).toBe(
      [
        ...['# Talks', '', '## Contents', ''],
        '1. [Talk 1](#transcript-1), Chan\\*nel, 2024-05-01, 01:01',
        '2. [Talk 2](#transcript-2), Chan\\*nel, 2024-05-01, 01:01',
        ...[1, 2].flatMap((n) => [
          ...[
            '',
            `## Transcript ${n}`,
            '',
            `**Talk ${n}**`,
            '',
            `- Video: <https://www.youtube.com/watch?v=AAAAAAAAAA${n}>`,
          ],
          ...['- Channel: Chan\\*nel', '- Published: 2024-05-01', '- Duration: 01:01', '- Words: 8'],
          ...['- Language: English (en), automatic captions', ''],
          `[00:00](https://www.youtube.com/watch?v=AAAAAAAAAA${n}&t=0s) word0 word1 word2 word3 word4 word5 word6 word7.`,
        ]),
        '',
      ].join('\n'),
    );
    expect(await wholeOf([newText(1, 2)], 'clean')).toBe(
      `Talks\n\nContents\n\n1. Talk 1, Chan*nel, 2024-05-01, 01:01\n\n${'='.repeat(72)}\n1. Talk 1\nhttps://www.youtube.com/watch?v=AAAAAAAAAA1\nChan*nel, 2024-05-01, 01:01\n\nword0 word1\n`,
    );
  });

  it('says which videos of the job have no transcript in it, and which text is a translation', async () => {
    const video = { ...newText(3, 1).video, title: 'A *third*' };
    const missing = [{ video, reason: 'It has no captions.' }];
    const text = newText(1, 2);
    const translated = [{ ...text, video: { ...text.video, isTranslated: true } }];
    const whole = await wholeOf(translated, 'md', 'Talks', missing);
    expect(whole).toContain(
      '1. [Talk 1](#transcript-1), Chan\\*nel, 2024-05-01, 01:01, translated by machine\n',
    );
    expect(whole).toContain(
      '\nWithout a transcript:\n\n- A \\*third\\* (AAAAAAAAAA3): It has no captions.\n\n## Transcript 1\n',
    );
    expect(await wholeOf(translated, 'clean')).toContain('01:01, translated by machine\n\nword0');
    expect((await partsOf(translated, 'clean', MAX_WORDS, missing)).at(-1)).toEqual({
      name: 'Talks - missing.txt',
      text: 'Without a transcript:\n\n- A *third* (AAAAAAAAAA3): It has no captions.\n',
    });
  });

  it('has contents that lead to headings that exist, whatever the titles are', async () => {
    const texts = hostileTitles.map((title, index) => newText(index, 8, { title }));
    const { headings, anchors, links, titles } = outline(await wholeOf(texts, 'md', 'A *job*: of_x'));
    expect(headings[0]).toEqual({ depth: 1, text: 'A *job*: of_x' });
    expect(headings.slice(2).every(({ depth }) => depth === 2)).toBe(true);
    expect(links.map(({ href }) => decodeURIComponent(href))).toEqual(anchors.slice(2));
    expect(links.map(({ text }) => text)).toEqual(titles);
    // GitHub, pandoc, Python-Markdown, kramdown and lowdown make one anchor of such a heading, and different ones of a title.
    expect(headings.slice(2).map(({ text }) => text)).toEqual(texts.map((_, at) => `Transcript ${at + 1}`));
  });

  it('lists a title that begins like a list or a quote with all its words', async () => {
    const missing = ['- 1', '+ 2', '> 3', '4. five', '6) seven'].map((title) => ({
      ...{ video: { ...newText(3, 1).video, title }, reason: 'It has no captions.' },
    }));
    const tokens = marked.lexer(await wholeOf([], 'md', 'Talks', missing));
    const list = tokens.find((token) => token.type === 'list') as Tokens.List;
    expect(list.items.map(({ tokens: [text] }) => shownText((text as Tokens.Text).tokens ?? []))).toEqual(
      missing.map(({ video }) => unescapeHtml(`${video.title} (AAAAAAAAAA3): It has no captions.`)),
    );
  });
});

describe('a document in parts', () => {
  it.each(['md', 'clean'] as const)(
    'has every transcript once, whole and in order, and no part beyond its words: %s',
    async (format) => {
      const texts = Array.from({ length: 40 }, (_, index) => newText(index, 30 + ((index * 37) % 400)));
      const parts = await partsOf(texts, format);
      expect(parts.length).toBeGreaterThan(5);
      for (const { text } of parts) expect(wordsOf(text)).toBeLessThanOrEqual(MAX_WORDS);
      const heading = format === 'md' ? /^## Transcript (\d+)$/gm : /^={72}\n(\d+)\. /gm;
      const numbers = parts.flatMap(({ text }) =>
        [...text.matchAll(heading)].map(([, number]) => Number(number)),
      );
      expect(numbers).toEqual(texts.map((_, index) => index + 1));
      const extension = format === 'md' ? 'md' : 'txt';
      expect(parts.slice(0, 2).map(({ name }) => name)).toEqual([
        `Talks - 001.${extension}`,
        `Talks - 002.${extension}`,
      ]);
      // No part could have taken the next transcript as well.
      for (const [index, { text }] of parts.slice(1).entries())
        expect(wordsOf(text) + wordsOf(parts[index]?.text ?? '')).toBeGreaterThan(MAX_WORDS / 2);
    },
  );

  it('has contents in each part, which go on counting', async () => {
    const parts = await partsOf(
      Array.from({ length: 9 }, (_, index) => newText(index, 300)),
      'md',
    );
    let next = 1;
    for (const { text } of parts) {
      const { anchors, links, start, headings } = outline(text);
      expect([start, headings[0]?.text]).toEqual([
        next,
        `Talks, part ${parts.findIndex((part) => part.text === text) + 1}`,
      ]);
      expect(links.map(({ href }) => href)).toEqual(anchors.slice(2));
      next += links.length;
    }
    expect(next).toBe(10);
  });

  it('cuts only a transcript that is longer than a part, between paragraphs, and says which piece it is', async () => {
    const texts = [newText(1, 100), newText(2, 2_500), newText(3, 100)];
    const parts = await partsOf(texts, 'md');
    for (const { text } of parts) expect(wordsOf(text)).toBeLessThanOrEqual(MAX_WORDS);
    const all = parts.map(({ text }) => text).join('\n');
    const pieces = [...all.matchAll(/^## Transcript 2-(\d)\n\n\*\*Talk 2 \(\1 of (\d)\)\*\*$/gm)].map(
      ([, n, of]) => [Number(n), Number(of)],
    );
    expect(pieces.map(([n]) => n)).toEqual(pieces.map((_, index) => index + 1));
    expect(new Set(pieces.map(([, of]) => of))).toEqual(new Set([pieces.length]));
    const words = [...all.matchAll(/\bword\d+\b/g)].length;
    expect(words).toBe(2_700);
    for (const { text } of parts) {
      const { anchors, links } = outline(text);
      expect(links.map(({ href }) => href)).toEqual(anchors.slice(2));
    }
  });

  it('counts two letters of a script without spaces as a word, and a long word by its bytes', async () => {
    const japanese = Array.from({ length: 4 }, (_, index) => newText(index, 110, { text: '吾輩は猫である。' }));
    const parts = await partsOf(japanese, 'clean');
    // 110 sentences of seven letters are 385 words.
    expect(parts.map(({ text }) => text.match(/^={72}$/gm)?.length)).toEqual([2, 2]);
    const endless = [newText(1, 1, { text: 'x'.repeat(30_000) }), newText(2, 1, { text: 'x'.repeat(30_000) })];
    expect(await partsOf(endless, 'clean')).toHaveLength(2);
  });
});

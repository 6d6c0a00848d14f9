import { describe, expect, it } from '@jest/globals';
import type { LanguageDelivery } from '@tds/contracts';
import fc from 'fast-check';
import matter from 'gray-matter';
import { parse } from 'yaml';
import { videoTitle, withFrontMatter } from './front-matter.ts';
import { markdownFor } from './markdown.ts';
import { renderTranscript } from './render-transcript.ts';
import { arbitraryText } from './test-support/arbitrary-cues.ts';
import { cue, inputOf, video } from './test-support/cues.ts';

const language: LanguageDelivery = {
  ...{ requested: 'es', delivered: 'en', kind: 'asr' },
  ...{ fallback: true, translation: 'refused' },
};
const noteOf = (fields: Partial<typeof video> = {}) => {
  const input = inputOf(cue(0, 1_000, 'one'));
  const facts = { ...video, ...fields };
  const file = renderTranscript({ ...input, video: facts }, 'md');
  return withFrontMatter(markdownFor(file, language), facts, language);
};
const yamlOf = (note: string): string => note.slice(4, note.indexOf('\n---\n'));

describe('a note', () => {
  it('says its facts once: in YAML what a vault sorts by, below it what belongs to the text', () => {
    expect(noteOf()).toBe(
      [
        '---',
        'title: "Title"',
        'channel: "Channel"',
        'published_at: 2024-05-01',
        'duration: "1:02:03"',
        'language: "en"',
        'source: "https://www.youtube.com/watch?v=GJLlxj_dtq8"',
        'tags: [transcript]',
        '---',
        '',
        '# Title',
        '',
        '- Words: 1',
        '- Language requested: es',
        '- Language delivered: English (en) (fallback: the platform refused the translation for now)',
        '- Captions: automatic',
        '',
        '## Transcript',
        '',
        '[00:00](https://www.youtube.com/watch?v=GJLlxj_dtq8&t=0s) one',
        '',
      ].join('\n'),
    );
  });

  it('has no name that a generator of sites takes for a setting of its own', () => {
    // Of Hugo, Jekyll, Hexo, Eleventy, Docusaurus, MkDocs and Obsidian Publish; `title` and `tags` are meant by all of them.
    const owned = [
      ...[
        'aliases',
        'cascade',
        'categories',
        'category',
        'comments',
        'date',
        'description',
        'draft',
        'expiryDate',
      ],
      ...[
        'headless',
        'hide',
        'id',
        'keywords',
        'lang',
        'lastmod',
        'layout',
        'linkTitle',
        'markup',
        'menu',
        'nav',
      ],
      ...[
        'outputs',
        'pagination',
        'params',
        'path',
        'permalink',
        'photos',
        'publish',
        'publishDate',
        'pubdate',
      ],
      ...[
        'published',
        'render',
        'resources',
        'sitemap',
        'slug',
        'status',
        'summary',
        'template',
        'type',
        'updated',
      ],
      ...['url', 'videos', 'weight'],
    ];
    expect(Object.keys(parse(yamlOf(noteOf()))).filter((name) => owned.includes(name))).toEqual([]);
  });

  it('leaves out what is not known, and is named by its id without a title', () => {
    const unknown = { title: null, channel_title: null, published_at: null, duration: null };
    expect(matter(noteOf(unknown)).data).toEqual({
      ...{ title: video.id, language: 'en', tags: ['transcript'] },
      source: `https://www.youtube.com/watch?v=${video.id}`,
    });
  });

  it.each([
    'a: b # c',
    '---',
    '"quoted" \\ and \'quoted\'',
    '- [x] {y}: &z *w !v %u @t `s`',
    'two\nlines\u2028three\u0085four',
    '12:34',
    'null',
    '\u202eevil\u{e0041} 🎬 日本語',
    '\u0000\u007f\u009f\ufffe',
  ])('has any title and channel as two readers of YAML see them: %j', (title) => {
    const note = noteOf({ title, channel_title: title });
    const facts = { title: videoTitle({ id: video.id, title }), duration: '1:02:03', language: 'en' };
    for (const data of [matter(note).data, parse(yamlOf(note)), parse(yamlOf(note), { version: '1.1' })])
      expect(data).toMatchObject(facts);
    expect(matter(note).content).toMatch(/^\n?# .*\n\n- Words: 1\n/);
  });

  it('is read back whatever its title is', () => {
    fc.assert(
      fc.property(arbitraryText, (title) => {
        const note = noteOf({ title });
        expect(matter(note).data.title).toBe(videoTitle({ id: video.id, title }));
        expect(parse(yamlOf(note))).toMatchObject({ tags: ['transcript'] });
      }),
    );
  });
});

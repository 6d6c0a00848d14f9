import { describe, expect, it } from '@jest/globals';
import type { LanguageDelivery } from '@tds/contracts';
import fc from 'fast-check';
import { marked } from 'marked';
import { normalizeCues, singleLine, withoutBidiControls } from './cues.ts';
import { markdownFor, renderTranscript } from './render-transcript.ts';
import { arbitraryText } from './test-support/arbitrary-cues.ts';
import { cue, inputOf, video } from './test-support/cues.ts';

const hostile = fc
  .array(
    fc.oneof(
      arbitraryText,
      fc.constantFrom(
        '*a*',
        '__b__',
        '`c`',
        '[d](e)',
        '![f](g)',
        '# h',
        '- i',
        '1. j',
        '~~k~~',
        '| l |',
        '\\',
      ),
      fc.constantFrom(
        'https://m.example',
        'www.n.example',
        'o@p.example',
        '<q@r.example>',
        '$s$',
        '***',
        '[x]: y',
      ),
    ),
    { maxLength: 4 },
  )
  .map((pieces) => pieces.join(' '));

const entities: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};
const unescapeHtml = (html: string) =>
  html.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity]!);

const shownText = (raw: string): string => singleLine(normalizeCues([cue(0, 1, raw)])[0]?.text ?? '');

describe('md', () => {
  it('a heading, the known facts and timestamped cues', () => {
    expect(renderTranscript(inputOf(cue(0, 1000, 'one\ntwo'), cue(3_600_000, 1000, 'three')), 'md')).toBe(
      [
        '# Title',
        '',
        '- Video: GJLlxj\\_dtq8',
        '- Channel: Channel (UCTwECeGqMZee77BjdoYtI2Q)',
        '- Published: 2024-05-01',
        '- Duration: 1:02:03',
        '- Language: en',
        '- Captions: automatic (asr)',
        '',
        '## Transcript',
        '',
        '- **[00:00]** one two',
        '- **[1:00:00]** three',
        '',
      ].join('\n'),
    );
  });

  it('unknown facts are left out and the id stands in for the title', () => {
    const nothing = {
      title: null,
      channel_id: null,
      channel_title: null,
      published_at: null,
      duration: null,
    };
    const input = { ...inputOf(cue(0, 1, 'a')), video: { id: 'GJLlxjxdtq8', ...nothing } };
    expect(renderTranscript(input, 'md')).toMatch(/^# GJLlxjxdtq8\n\n- Video: GJLlxjxdtq8\n- Language: en\n/);
  });

  const language: LanguageDelivery = {
    requested: 'en',
    delivered: 'en',
    kind: 'manual',
    fallback: false,
    translation: 'not_requested',
  };
  const linesFor = (given: Partial<LanguageDelivery>): string => {
    const rendered = renderTranscript(inputOf(cue(0, 1, 'a\n\n## Transcript')), 'md');
    const file = markdownFor(rendered, { ...language, ...given });
    expect(file).toMatch(/^# Title\n\n- Video: /);
    expect(file.endsWith('\n\n## Transcript\n\n- **[00:00]** a \\#\\# Transcript\n')).toBe(true);
    return file.split('\n\n')[1]?.replace(/^(?!- (?:Lang|Capt)).*\n/gm, '') ?? '';
  };

  it.each<[Partial<LanguageDelivery>, string[]]>([
    [{}, ['- Language requested: en', '- Language delivered: en', '- Captions: manual']],
    [
      { requested: 'es', delivered: 'es', kind: 'asr', translation: 'served' },
      [
        '- Language requested: es',
        '- Language delivered: es (translated by the platform)',
        '- Captions: translated from automatic (asr) captions',
      ],
    ],
    [
      { requested: 'fr', fallback: true, translation: 'refused' },
      [
        '- Language requested: fr',
        '- Language delivered: en (fallback: the platform refused the translation for now)',
        '- Captions: manual',
      ],
    ],
    [
      { requested: 'fr', fallback: true, translation: 'unavailable' },
      [
        '- Language requested: fr',
        '- Language delivered: en (fallback: there is no translation into the requested language)',
        '- Captions: manual',
      ],
    ],
  ])('says in words what was asked for and what was delivered: %j', (given, lines) => {
    expect(linesFor(given)).toBe(lines.join('\n'));
  });

  it('no title or channel turns what is written beside it', () => {
    const turned = { ...video, title: 'T\u202eitle', channel_title: '\u2066Ch\u200fannel' };
    const file = renderTranscript({ ...inputOf(cue(0, 1, 'a')), video: turned }, 'md');
    expect(file).toMatch(/^# Title\n\n- Video: GJLlxj\\_dtq8\n- Channel: Channel \(/);
  });

  it('no title, channel or cue can render as markup, and each is shown as it was said', () => {
    fc.assert(
      fc.property(hostile, hostile, (title, text) => {
        const known = { ...video, title: `T ${title} T`, channel_title: `C ${title}` };
        const file = renderTranscript({ ...inputOf(cue(0, 1000, `a ${text}`)), video: known }, 'md');
        const html = marked.parse(file, { async: false });
        expect(new Set(html.match(/<\/?[^>]*>/g))).toEqual(
          new Set(['h1', 'h2', 'ul', 'li', 'strong'].flatMap((tag) => [`<${tag}>`, `</${tag}>`])),
        );
        const shownTitle = shownText(withoutBidiControls(`T ${title} T`));
        expect(unescapeHtml(html)).toContain(`<h1>${shownTitle}</h1>`);
        expect(unescapeHtml(html)).toContain(`<strong>[00:00]</strong> ${shownText(`a ${text}`)}</li>`);
      }),
    );
  });
});

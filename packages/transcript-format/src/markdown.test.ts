import { describe, expect, it } from '@jest/globals';
import { type LanguageDelivery, unknownVideo } from '@tds/contracts';
import fc from 'fast-check';
import { marked } from 'marked';
import { countWords, joinLines } from './caption-text.ts';
import { normalizeCues, singleLine, withoutHiddenMarks } from './cues.ts';
import { markdownFor } from './markdown.ts';
import { renderTranscript } from './render-transcript.ts';
import { arbitraryCues, arbitraryText } from './test-support/arbitrary-cues.ts';
import { cue, inputOf, video } from './test-support/cues.ts';

const hostile = fc
  .array(
    fc.oneof(
      arbitraryText,
      fc.constantFrom('*a*', '__b__', '`c`', '[d](e)', '![f](g)', '# h', '- i', '1. j', '~~k~~', '| l |', '\\'),
      fc.constantFrom(
        'https://m.example',
        'www.n.example',
        'o@p.example',
        '<q@r.example>',
        '$s$',
        '_a_b_ __c__d_',
        'e_ f__g __h_i',
        '*_j_*_k',
        '"_l_"_.',
        '&lt;b&gt; &copy; &#60; &amp',
        't@u.v.example.',
        '@w_x_',
        '***',
        '[x]: y',
      ),
    ),
    { maxLength: 4 },
  )
  .map((pieces) => pieces.join(' '));

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' };
const unescapeHtml = (html: string) =>
  html.replace(
    /&(?:(amp|lt|gt|quot)|#(\d+));/g,
    (_, name, code) => entities[name] ?? String.fromCodePoint(code),
  );

const shownText = (raw: string): string => singleLine(normalizeCues([cue(0, 1, raw)])[0]?.text ?? '');
const spokenText = (raw: string): string => joinLines(normalizeCues([cue(0, 1, raw)])[0]?.text ?? '');

describe('md', () => {
  const later = cue(3_600_000, 1000, 'three');

  it('a heading, the known facts, and passages that begin with a link to their second', () => {
    expect(renderTranscript(inputOf(cue(999, 1000, 'one\ntwo'), later), 'md')).toBe(
      [
        '# Title',
        '',
        '- Video: <https://www.youtube.com/watch?v=GJLlxj_dtq8>',
        '- Channel: Channel, <https://www.youtube.com/channel/UCTwECeGqMZee77BjdoYtI2Q>',
        '- Published: 2024-05-01',
        '- Duration: 1:02:03',
        '- Words: 3',
        '- Language: English (en), automatic captions',
        '',
        '## Transcript',
        '',
        '[00:00](https://www.youtube.com/watch?v=GJLlxj_dtq8&t=0s) one two',
        '',
        '[1:00:00](https://www.youtube.com/watch?v=GJLlxj_dtq8&t=3600s) three',
        '',
      ].join('\n'),
    );
  });

  it('chapters are headings before the passage that begins with them', () => {
    const chapters = [{ start: 3_600, title: 'Part *two*' }];
    const input = inputOf(cue(0, 1000, 'one'), later);
    const file = renderTranscript({ ...input, video: { ...video, chapters } }, 'md');
    expect(file).toMatch(/t=0s\) one\n\n### Part \\\*two\\\*\n\n\[1:00:00\]\(\S+t=3600s\) three\n$/);
  });

  it.each([
    ['Words: 6', "It's - well - re-used 2 times: שלום"],
    ['Characters: 7', '吾輩は猫である。ok'],
  ])('its length is counted as readers of its script count: %s', (fact, text) => {
    expect(renderTranscript(inputOf(cue(0, 1, text)), 'md')).toContain(`\n- ${fact}\n`);
  });

  it('says as many words as are counted for the manifest', () => {
    fc.assert(
      fc.property(arbitraryCues(60_000), (cues) => {
        const file = renderTranscript({ ...inputOf(), cues }, 'md');
        const [, words = null] = /^- Words: (\d+)$/m.exec(file) ?? [];
        expect(countWords(normalizeCues(cues))).toBe(words === null ? null : Number(words));
      }),
    );
  });

  it('unknown facts are left out and the id stands in for the title', () => {
    const input = { ...inputOf(cue(0, 1, 'a')), video: unknownVideo('GJLlxjxdtq8') };
    expect(renderTranscript(input, 'md')).toMatch(
      /^# GJLlxjxdtq8\n\n- Video: <\S+GJLlxjxdtq8>\n- Words: 1\n- Language: English \(en\), automatic captions\n/,
    );
    const named = { ...input, video: { ...input.video, channel_title: 'A *name*' } };
    expect(renderTranscript(named, 'md')).toContain('\n- Channel: A \\*name\\*\n');
    const odd = { ...input, video: { ...input.video, channel_id: '<a>](b) \ud800' } };
    expect(renderTranscript(odd, 'md')).toContain('/channel/%3Ca%3E%5D(b)%20%EF%BF%BD>\n');
  });

  const language: LanguageDelivery = {
    requested: 'en',
    delivered: 'en',
    kind: 'manual',
    fallback: false,
    translation: 'not_requested',
  };
  const headFor = (given: Partial<LanguageDelivery>, change = (file: string) => file): string => {
    const delivery = { ...language, ...given };
    const input = { ...inputOf(cue(0, 1, 'a\n\n## Transcript')), language: delivery };
    const file = markdownFor(change(renderTranscript(input, 'md')), delivery);
    expect(file).toMatch(/^# Title\n\n- Video: /);
    const body = '[00:00](https://www.youtube.com/watch?v=GJLlxj_dtq8&t=0s) a \\#\\# Transcript';
    expect(file.endsWith(`\n\n## Transcript\n\n${body}\n`)).toBe(true);
    return file.split('\n\n')[1]?.replace(/^(?!- (?:Lang|Capt)).*\n/gm, '') ?? '';
  };

  it.each<[Partial<LanguageDelivery>, string[]]>([
    [{}, ['- Language: English (en), manual captions']],
    [{ requested: 'orig,en', kind: 'asr' }, ['- Language: English (en), automatic captions']],
    [{ requested: 'pt', delivered: 'pt-BR' }, ['- Language: Brazilian Portuguese (pt-BR), manual captions']],
    [{ requested: 'xx', delivered: 'xx' }, ['- Language: xx, manual captions']],
    [{ delivered: 'no tag_' }, ['- Language: no tag_, manual captions']],
    [
      { requested: 'es', delivered: 'es', kind: 'asr', translation: 'served' },
      [
        '- Language requested: es',
        '- Language delivered: Spanish (es) (translated by the platform)',
        '- Captions: translated from automatic captions',
      ],
    ],
    [
      { requested: 'fr', fallback: true, translation: 'refused' },
      [
        '- Language requested: fr',
        '- Language delivered: English (en) (fallback: the platform refused the translation for now)',
        '- Captions: manual',
      ],
    ],
    [
      { requested: 'fr', fallback: true, translation: 'unavailable' },
      [
        '- Language requested: fr',
        '- Language delivered: English (en) (fallback: there is no translation into the requested language)',
        '- Captions: manual',
      ],
    ],
  ])('says in words which language it has, and what was asked for if that differs: %j', (given, lines) => {
    expect(headFor(given)).toBe(lines.join('\n'));
  });

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
  ])('a stored file of the first renderer keeps the bytes that it was delivered with: %j', (given, lines) => {
    const { delivered, kind } = { ...language, ...given };
    const captions = { manual: 'manual', asr: 'automatic (asr)' }[kind];
    const first = (file: string) =>
      file.replace(/^- Language: .*$/m, `- Language: ${delivered}\n- Captions: ${captions}`);
    expect(headFor(given, first)).toBe(lines.join('\n'));
  });

  it.each([
    ['Q&A with snake_case', 'Q&A with snake_case'],
    ['_a_ __b__ (_c_) $_d', '\\_a\\_ \\_\\_b\\_\\_ (\\_c\\_) $\\_d'],
    ['&amp; &#38; &#x26; &copy', '&amp;amp; &amp;\\#38; &amp;\\#x26; &copy'],
    ['[Music] *a* >> Anna: 1 > 0, >', '\\[Music] \\*a\\* >\\> Anna: 1 > 0, >'],
    ['o@p.example @handle 5 @ 3 http://a www.b', 'o&#64;p.example &#64;handle 5 @ 3 http&#58;//a www\\.b'],
    ['C# x^2 vector<int> I <3 you, a < b', 'C\\# x&#94;2 vector&lt;int> I &lt;3 you, a < b'],
    ['$5 and $10, ~5 to ~6, a == b == c, 5%% of', '$5 and $10, ~5 to ~6, a == b == c, 5%% of'],
    ['$x$ H~2~O ==y== %%z%%', '&#36;x&#36; H&#126;2&#126;O =&#61;y=&#61; %&#37;z%&#37;'],
    ['{x} {{x}} {% if x %} {: .x}', '{x} {&#123;x}} {&#37; if x %} {&#58; .x}'],
  ])('marks are escaped only if they would be read: %s', (title, heading) => {
    const file = renderTranscript({ ...inputOf(cue(0, 1, 'a')), video: { ...video, title } }, 'md');
    expect(file.split('\n')[0]).toBe(`# ${heading}`);
  });

  it('a pipe makes no table outside of headings, and stands as it is in them', () => {
    const known = { ...video, title: 'a | b', channel_title: 'c | d' };
    const file = renderTranscript({ ...inputOf(cue(0, 1, 'e | f')), video: known }, 'md');
    expect(file).toMatch(/^# a \| b\n[\s\S]*- Channel: c &#124; d,[\s\S]* e &#124; f\n$/);
  });

  it('no title or channel turns what is written beside it', () => {
    const turned = { ...video, title: 'T\u202eitle', channel_title: '\u2066Ch\u200fannel' };
    const file = renderTranscript({ ...inputOf(cue(0, 1, 'a')), video: turned }, 'md');
    expect(file).toMatch(/^# Title\n\n- Video: <\S+>\n- Channel: Channel, </);
  });

  it('no title, channel, chapter or caption has marks that turn text around, or that nobody sees', () => {
    const marks = '\u061c\u200e\u200f\u202a\u202e\u2066\u2069\u{e0001}\u{e0041}\u{e007f}';
    const turned = {
      ...{ ...video, title: `T${marks}itle`, channel_title: `Ch${marks}annel` },
      chapters: [{ start: 0, title: `O${marks}ne` }],
    };
    const cues = [cue(0, 1, `a${marks}b`), cue(20_000, 1, marks)];
    const file = renderTranscript({ ...inputOf(...cues), video: turned }, 'md');
    expect(file).not.toMatch(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u);
    for (const text of ['# Title', 'Channel', '### One', 'ab']) expect(file).toContain(text);
    const clean = renderTranscript({ ...inputOf(...cues), video: turned }, 'clean');
    expect(clean).toContain('One\n');
    expect(clean).toContain(`a${marks}b`);
  });

  it('no title, channel, chapter or cue can render as markup, and each is shown as it was said', () => {
    fc.assert(
      fc.property(hostile, hostile, (title, text) => {
        fc.pre(!text.includes('>>')); // begins another passage, with an address of its own
        const chapters = [{ start: 0, title: `H ${title}` }];
        const known = { ...video, title: `T ${title} T`, channel_title: `C ${title}`, chapters };
        const file = renderTranscript({ ...inputOf(cue(0, 1000, `a ${text}`)), video: known }, 'md');
        const html = marked.parse(file, { async: false });
        const tags = new Set(Array.from(html.matchAll(/<\/?([a-z0-9]+)[^>]*>/g), ([, tag]) => tag));
        expect(tags).toEqual(new Set(['h1', 'h2', 'h3', 'ul', 'li', 'p', 'a']));
        const addresses = Array.from(html.matchAll(/href="([^"]*)"/g), ([, address]) => address);
        expect(addresses).toEqual([
          'https://www.youtube.com/watch?v=GJLlxj_dtq8',
          'https://www.youtube.com/channel/UCTwECeGqMZee77BjdoYtI2Q',
          'https://www.youtube.com/watch?v=GJLlxj_dtq8&amp;t=0s',
        ]);
        const shownTitle = shownText(withoutHiddenMarks(`T ${title} T`));
        expect(unescapeHtml(html)).toContain(`<h1>${shownTitle}</h1>`);
        expect(unescapeHtml(html)).toContain(`<h3>${shownText(withoutHiddenMarks(`H ${title}`))}</h3>`);
        expect(unescapeHtml(html)).toContain(`</a> ${spokenText(withoutHiddenMarks(`a ${text}`))}</p>`);
      }),
    );
  });
});

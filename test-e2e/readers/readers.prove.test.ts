import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { unknownVideo } from '@tds/contracts';
import { csvTable } from '@tds/job-files';
import { workspaceRoot } from '@tds/servers';
import { eventually } from '@tds/test-kit';
import { formatCitation } from '@tds/transcript-format';
import { chromiumVersion, drawChromium, drawFirefox } from './browsers.ts';
import { asDrawn, fileOf, inNumbers, MARK, pair, rawSrt, shown, spoken, texts, toSigns } from './cues.ts';
import { CUE_SECONDS, drawFfmpeg, drawMpv, drawVlc, isAmong, readGstreamer, readMpv } from './players.ts';
import { findPrograms, type Programs } from './programs.ts';
import { citePandoc, readBibutils, readCitationJs, readPandoc, rewriteBiber } from './references.ts';

const table = path.join(workspaceRoot, 'packages/web/site/content/readers.md');

/** Rows of the table for customers: what the tests have seen. With TDS_TEST_WRITE_READERS=1 they write it anew. */
const rows: string[] = [];
const WHOLE = 'All words, all times';
const addRow = async (name: string, program: string, format: string, know: string): Promise<void> => {
  const flag = { ffmpeg: '-version', bib2xml: '-v' }[name] ?? '--version';
  const ofLibrary = name === 'citation-js' ? '0.9' : undefined;
  const version =
    ofLibrary ??
    (name === 'Chromium' ? await chromiumVersion() : await programs.read(name.toLowerCase(), flag));
  rows.push(`| ${program} ${/(?:^|[ :])(\d+\.\d+)/.exec(version)?.[1]} | ${format} | ${know} |`);
};

let programs: Programs;
beforeAll(async () => {
  programs = await findPrograms();
});
afterAll(() => {
  if (programs) rmSync(programs.dir, { recursive: true });
});

const inVtt = asDrawn(fileOf('srt', texts));

/** The texts that a player draws otherwise than expected. It may draw some of them late, so it has more runs. */
const findLost = async (
  draw: typeof drawVlc,
  format: string,
  text: string,
  expectedText = inVtt,
  runs = 1,
): Promise<string[]> => {
  const [file, expected] = [programs.write(`a.${format}`, text), programs.write('expected.vtt', expectedText)];
  const seen = new Set<number>();
  for (let run = 0; run < runs && seen.size < texts.length; run += 1) {
    const frames = await draw(programs, file, texts.length);
    const references = await draw(programs, expected, texts.length);
    for (const [at, candidates] of frames.entries())
      if (candidates.some((frame) => isAmong(frame, references[at] ?? []))) seen.add(at);
  }
  return texts.filter((_, at) => !seen.has(at));
};

describe('programs that people use', () => {
  it('mpv says that it shows each word of an SRT, at its time, and draws it', async () => {
    const read = (text: string) => readMpv(programs, programs.write('shown.srt', text), texts.length);
    const cues = (await read(fileOf('srt', texts))).map((cue) => ({ ...cue, text: toSigns(cue.text) }));
    const times = (at: number) => ({ from: at * CUE_SECONDS, to: (at + 1) * CUE_SECONDS });
    expect(cues).toEqual(shown.map((text, at) => ({ ...times(at), text })));
    expect((await read(rawSrt())).filter(({ text }) => shown.includes(text)).length).toBeLessThan(65);
    expect(await findLost(drawMpv, 'srt', fileOf('srt', texts))).toEqual([]);
    await addRow('mpv', 'mpv', 'SRT', WHOLE);
  });

  it('ffmpeg draws an SRT as the same words that nothing runs in, and a VTT but for backslashes', async () => {
    expect(await findLost(drawFfmpeg, 'srt', fileOf('srt', texts))).toEqual([]);
    expect((await findLost(drawFfmpeg, 'srt', rawSrt())).length).toBeGreaterThan(20);
    const vtt = fileOf('vtt', texts);
    const lost = await findLost(drawFfmpeg, 'vtt', vtt, vtt.replaceAll('\\', '\\\u2060'));
    expect(lost.filter((text) => !/\\[nNh{}]/.test(text))).toEqual([]);
    expect(lost).toContain(texts[spoken.length]);
    await addRow('ffmpeg', 'ffmpeg', 'SRT', WHOLE);
    await addRow(
      'ffmpeg',
      'ffmpeg',
      'VTT',
      'Breaks a line at `\\n`, `\\N` and `\\h`, as do players that use it: take SRT',
    );
  });

  it('VLC draws an SRT as the same words in VTT', async () => {
    expect(await findLost(drawVlc, 'srt', fileOf('srt', texts), inVtt, 10)).toEqual([]);
    expect((await findLost(drawVlc, 'srt', rawSrt())).length).toBeGreaterThan(20);
    await addRow('vlc', 'VLC', 'SRT, VTT', WHOLE);
  });

  it.each([
    ['Chromium', drawChromium],
    ['Firefox', drawFirefox],
  ])('%s draws each word of a VTT', async (name, draw) => {
    expect(await findLost(draw, 'vtt', fileOf('vtt', texts), inNumbers())).toEqual([]);
    await addRow(name, name, 'VTT', WHOLE);
  });

  it.each([
    ['VLC', drawVlc, ['srt', 'vtt']],
    ['mpv', drawMpv, ['srt', 'vtt']],
    ['ffmpeg', drawFfmpeg, ['srt', 'vtt']],
    ['Chromium', drawChromium, ['vtt']],
    ['Firefox', drawFirefox, ['vtt']],
  ] as const)('%s draws what two people say at once, the first above the second', async (_, draw, formats) => {
    const drawn = (format: string, text: string) => draw(programs, programs.write(`pair.${format}`, text), 1);
    const isDrawnAsLines = async (format: string, text: string): Promise<boolean> => {
      const [[frames = []], [lines = []]] = [await drawn(format, text), await drawn('vtt', pair.lines)];
      return frames.some((frame) => isAmong(frame, lines));
    };
    for (const format of formats)
      await eventually(async () => expect(await isDrawnAsLines(format, pair.written(format))).toBe(true));
    expect(await isDrawnAsLines('vtt', pair.cues)).toBe(false);
  });

  it('GStreamer shows each word of an SRT, and entities of a VTT', async () => {
    const read = (name: string, text: string) => readGstreamer(programs, programs.write(name, text), MARK);
    expect((await read('a.srt', fileOf('srt', texts))).map(toSigns)).toEqual(
      shown.map((text) => text.replace(MARK, '')),
    );
    expect((await read('a.vtt', fileOf('vtt', texts)))[0]).toBe('x&lt;1 and y&gt;2');
    await addRow('gst-launch-1.0', 'GStreamer', 'SRT', 'All words');
    await addRow('gst-launch-1.0', 'GStreamer', 'VTT', 'Shows `&`, `<` and `>` as entities: take SRT');
  });

  const accessed = new Date('2026-11-29T00:00:00Z');
  const channel = 'MIT OpenCourseWare & Co';
  const titles = [
    'Topic | C# {braces} {{a}} & 100% of $x_1^2 ~ \\ #9 <b>',
    'مكتبة النهر 日本語 Ελληνικά --onto',
  ];
  const ids = ['dQw4w9WgXcQ', '-gl27_0000-', 'a__b--c_d9_'];
  const videos = titles.flatMap((title) =>
    ids.map((id) => ({ ...unknownVideo(id), title, channel_title: channel, published_at: '2024-05-04' })),
  );
  const write = (video: (typeof videos)[number], format: 'bibtex' | 'ris' | 'csl-json') =>
    formatCitation(video, format, { at: 91, accessed });
  const keyOf = (video: (typeof videos)[number]): string => JSON.parse(write(video, 'csl-json'))[0].id;

  /** What Zotero reads as a tag is written with a look-alike, where it reads tags. */
  const withoutTags = (title: string): string => title.replace('<b>', '‹b>');

  it('pandoc reads BibTeX, RIS and CSL-JSON whole, and cites their keys', async () => {
    for (const video of videos) {
      const expected = { key: keyOf(video), title: video.title, author: channel };
      for (const [format, file, extension, kind] of [
        ['bibtex', write(video, 'bibtex'), 'bib', 'Video'],
        ['biblatex', write(video, 'bibtex'), 'bib', 'Video'],
        ['ris', write(video, 'ris'), 'ris', 'graphic'],
        ['csljson', write(video, 'csl-json'), 'json', 'Video'],
      ] as const) {
        const reference = await readPandoc(programs, format, file);
        const title = ['ris', 'csljson'].includes(format) ? withoutTags(video.title) : video.title;
        expect([format, reference]).toEqual([format, { ...expected, title, kind }]);
        expect(await citePandoc(programs, reference, programs.write(`cited.${extension}`, file))).toMatch(
          /^\(MIT OpenCourseWare & Co 2024\)/,
        );
      }
    }
    await addRow('pandoc', 'pandoc', 'BibTeX, CSL-JSON', 'All facts; `[@key]` cites');
    await addRow('pandoc', 'pandoc', 'RIS', 'A video is a `graphic`, a `<` is `‹`: take CSL-JSON');
  });

  it('bibutils, biber and citation-js read the same facts', async () => {
    for (const video of videos) {
      const expected = { key: keyOf(video), title: video.title, author: channel };
      const [bib, ris, csl] = [write(video, 'bibtex'), write(video, 'ris'), write(video, 'csl-json')];
      expect(await readPandoc(programs, 'biblatex', await rewriteBiber(programs, bib))).toMatchObject(expected);
      const title = video.title.replaceAll('\\', '\\textbackslash').replaceAll('^', '⌃').replaceAll('--', '–');
      expect(await readBibutils(programs, 'bib', bib)).toMatchObject({ ...expected, title });
      expect(await readBibutils(programs, 'ris', ris)).toMatchObject({
        ...expected,
        title: withoutTags(video.title),
        author: expect.stringMatching(/, /),
      });
      const otherwise = { ...expected, title: withoutTags(video.title) };
      expect([bib, ris, csl].map((text) => readCitationJs(text))).toMatchObject([
        expected,
        otherwise,
        otherwise,
      ]);
    }
    await addRow('bib2xml', 'bibutils', 'BibTeX', 'Shows `\\`, `^` and `--` of a title otherwise');
    await addRow(
      'bib2xml',
      'bibutils',
      'RIS',
      'Takes the name of a channel for a first and a last one: take BibTeX',
    );
    await addRow('biber', 'biber', 'BibTeX', 'All facts');
    await addRow('citation-js', 'citation-js', 'BibTeX, RIS, CSL-JSON', 'All facts');
  });

  it('csvkit and Miller read each cell of a CSV as text if they are asked to', async () => {
    const header = ['title', 'language', 'attempts'];
    const cells = [
      ['None', 'no', '1'],
      ['0x1F', 'no', '1'],
      ['Zeile\n"zwei", Ελ', 'no', '1'],
    ];
    const file = programs.write('manifest.csv', csvTable(header, cells));
    const expected = cells.map((row) => Object.fromEntries(row.map((cell, at) => [header[at], cell])));
    expect(JSON.parse(await programs.read('csvjson', '--no-inference', '--blanks', file))).toEqual(expected);
    expect(JSON.parse(await programs.read('csvjson', file))[0]).toEqual({
      title: null,
      language: false,
      attempts: true,
    });
    expect(JSON.parse(await programs.read('mlr', '-S', '--icsv', '--ojson', 'cat', file))).toEqual(expected);
    await addRow(
      'csvjson',
      'csvkit',
      'CSV',
      'Takes `no` for false and `None` for nothing: `--no-inference --blanks`',
    );
    await addRow('mlr', 'Miller', 'CSV', 'Writes `0x1F` as a number, which is no JSON: `-S`');
  });

  it('the table of the guide says what was read', () => {
    const now = ['| Program | Format | What to know |', '|---|---|---|', ...rows, ''].join('\n');
    if (process.env.TDS_TEST_WRITE_READERS === '1') writeFileSync(table, now);
    expect(existsSync(table) && readFileSync(table, 'utf8')).toBe(now);
  });
});

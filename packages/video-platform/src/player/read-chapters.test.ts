import { describe, expect, it } from '@jest/globals';
import { readChapters } from './read-chapters.ts';

const read = (lines: readonly string[], duration: number | null = null) =>
  readChapters(lines.join('\n'), duration);
const starts = (lines: readonly string[], duration: number | null = null) =>
  read(lines, duration)?.map(({ start }) => start) ?? null;

describe('the chapters of a description', () => {
  it.each([
    ['a time before the title', ['0:00 Intro', '1:05 Middle', '1:02:03 End']],
    ['a time after it', ['Intro 0:00', 'Middle - 1:05', 'End (1:02:03)']],
    ['bullets and brackets', ['• 00:00 - Intro', '⌨️ (1:05) Middle', '– [01:02:03] | End']],
    ['wide brackets', ['【0:00】Intro', '（1:05） Middle', '「1:02:03」End']],
    ['wide brackets behind the title', ['Intro【0:00】', 'Middle（1:05）', 'End 〔1:02:03〕']],
    ['numbers', ['1. 0:00 Intro', '2) 1:05 Middle', '3. 1:02:03 End']],
    ['numbers of emoji', ['1️⃣ 0:00 Intro', '2️⃣ 1:05 Middle', '1️⃣0️⃣ 1:02:03 End']],
    ['numbers in circles', ['① 0:00 Intro', '② 1:05 Middle', '③ 1:02:03 End']],
    [
      'marks of direction',
      ['\u200f0:00\u200f Intro', '1:05\u200e Middle', '\u2067\u20671:02:03\u2069\u2069 End'],
    ],
    ['such marks behind the time', ['Intro 0:00\u200f', 'Middle \u20661:05\u2069', 'End 1:02:03\u200e']],
    ['a word before their ends', ['0:00 to 1:05 Intro', '1:05 bis 1:02:03 Middle', '1:02:03至1:10:00 End']],
    ['an end behind the title', ['Intro 0:00 - 1:05', 'Middle (1:05 to 1:02:03)', 'End 1:02:03 до 1:10:00']],
    ['an end for each', ['0:00 - 1:05 Intro', '1:05–1:02:03 Middle', '1:02:03 - 1:10:00 End']],
  ])('may have %s', (_, lines) => {
    expect(read(lines)).toEqual([
      { start: 0, title: 'Intro' },
      { start: 65, title: 'Middle' },
      { start: 3723, title: 'End' },
    ]);
  });

  it('stand among other lines, headings and blank lines', () => {
    const lines = [
      'Recorded on 5 May.',
      '',
      '00:00 One',
      '',
      'Part two:',
      '2:16 Two',
      'www.example.org',
      '3:00 Three',
    ];
    expect(starts(lines)).toEqual([0, 136, 180]);
  });

  it('are those on one side: a line with a time elsewhere does not count', () => {
    expect(starts(['0:00 One', '1:00 Two', '2:00 Three', 'Live every day at 18:00'])).toEqual([0, 60, 120]);
    expect(starts(['Doors 20:15', '0:00 One', '1:00 Two', '2:00 Three'])).toEqual([0, 60, 120]);
  });

  it.each([
    ['0:00 - Intro (part 1)', 'Intro (part 1)'],
    ['[0:00] (Intro)', '(Intro)'],
    ['0:00 | "Why?"', '"Why?"'],
    ['- Intro (part 1) ..... (0:00)', 'Intro (part 1)'],
  ])('have the title of the line %s: %s', (line, title) => {
    const isFirst = /^\W*0/.test(line);
    const others = isFirst ? ['1:00 Two', '2:00 Three'] : ['Two 1:00', 'Three 2:00'];
    expect(read([line, ...others])?.[0]).toEqual({ start: 0, title });
  });

  it('keep years and numbers of their titles', () => {
    expect(read(['0:00 - 2020 in review', '1:00 7 lessons', '2:00 Top 10'])?.map(({ title }) => title)).toEqual(
      ['2020 in review', '7 lessons', 'Top 10'],
    );
  });

  it.each([
    ['does not begin at 0:00', ['0:05 One', '1:00 Two', '2:00 Three']],
    ['has less than three', ['0:00 One', '1:00 Two']],
    ['does not ascend', ['0:00 One', '2:00 Two', '1:00 Three']],
    ['has one shorter than ten seconds', ['0:00 One', '0:09 Two', '1:00 Three']],
    ['has no titles', ['0:00', '1:00', '2:00']],
    ['has impossible times', ['0:00 One', '0:75 Two', '0:99 Three']],
    ['is too long', Array.from({ length: 201 }, (_, at) => `${at}:00 Chapter`)],
    ['is not there', ['Just a text about 0:00 and so on.']],
    ['has lines as long as pages', ['0:00', '1:00', '2:00'].map((time) => `${time} ${'x'.repeat(400)}`)],
  ])('are unknown if the list %s', (_, lines) => {
    expect(read(lines)).toBeNull();
  });

  it('are unknown as a whole if one lies beyond the end, or ends with it', () => {
    const lines = ['0:00 One', '1:00 Two', '2:00 Three'];
    expect(starts(lines, 130)).toEqual([0, 60, 120]);
    expect(starts(lines, 129)).toBeNull();
    expect(starts(lines, 100)).toBeNull();
  });

  it('have titles of at most 100 characters', () => {
    const title = 'y'.repeat(250);
    expect(read(['0:00', '1:00', '2:00'].map((time) => `${time} ${title}`))?.[0]?.title).toBe('y'.repeat(100));
  });
});

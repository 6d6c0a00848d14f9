import { expect, it } from '@jest/globals';
import { byTranscript, byVideo, foundWords } from './found-passages.ts';

it('the passages of one transcript stand together and as they are said, where the best of them stood', () => {
  const at = (video_id: string, start: number, language = 'en') => ({
    ...{ video_id, language, kind: 'manual' as const, translated: false },
    match: { start, text: '', sentence: '' },
  });
  const found = [at('a', 57), at('b', 9), at('a', 21), at('a', 30, 'de'), at('a', 94)];
  expect(
    byTranscript(found).map(({ passages }) => passages.map(({ video_id: id, match }) => [id, match.start])),
  ).toEqual([
    [
      ['a', 21],
      ['a', 57],
      ['a', 94],
    ],
    [['b', 9]],
    [['a', 30]],
  ]);
});

it('a search says what it has not looked through, and why', () => {
  const index = { transcripts: 300, indexed: 33, is_growing: true };
  expect(foundWords({ total: 25, is_complete: false, index })).toBe(
    '25 passages so far. Making your library searchable: 33 of 300 transcripts.',
  );
  expect(foundWords({ total: 0, is_complete: false, index: { ...index, is_growing: false } })).toBe(
    'No passage has all of these words, in 33 of 300 transcripts. The others cannot be searched at the moment.',
  );
  const whole = { ...index, indexed: 300, is_growing: false };
  expect(foundWords({ total: 1_000, is_complete: false, index: whole })).toMatch('Another word narrows it');
  expect(foundWords({ total: 1, is_complete: true, index: whole })).toBe('1 passage.');
});

it('a video stands once, however many queries found it, with each sentence once', () => {
  const said = (start: number) => ({ start, text: `At ${start}.`, words: 'At', url: '' });
  const match = (video_id: string, query: string, starts: readonly number[]) => ({
    ...{ query, language: 'en', translated: false, passages: starts.map(said) },
    video: { video_id, title: null, published_at: null, channel_title: null },
  });
  const found = [match('a', 'one', [30, 60]), match('b', 'one', [5]), match('a', 'two', [10, 30])];
  expect(
    byVideo(found).map(({ first, queries, passages }) => [first.video.video_id, queries, passages]),
  ).toEqual([
    ['a', ['one', 'two'], [said(10), said(30), said(60)]],
    ['b', ['one'], [said(5)]],
  ]);
  const many = match('c', 'one', [1, 2, 3, 4, 5]);
  expect(byVideo([...found, many]).map(({ isOpen }) => isOpen)).toEqual([false, false, true]);
});

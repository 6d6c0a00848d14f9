import { describe, expect, it } from '@jest/globals';
import { isoSeconds } from './data-api-items.ts';
import { clockSeconds, textAt, thumbnailAt, viewCount } from './web-pages.ts';

describe('values of pages', () => {
  it.each([
    ['0:07', 7],
    ['12:05', 725],
    ['1:07:34', 4_054],
    ['LIVE', null],
    ['', null],
    [null, null],
  ])('a clock of %j is %j seconds', (given, seconds) => {
    expect(clockSeconds(given)).toBe(seconds);
  });

  it.each([
    ['PT1H7M34S', 4_054],
    ['PT45S', 45],
    ['P1DT2H', 93_600],
    ['P0D', null],
    ['1:07', null],
    [null, null],
  ])('a duration of %j is %j seconds', (given, seconds) => {
    expect(isoSeconds(given)).toBe(seconds);
  });

  it.each([
    ['1,862 views', 1_862],
    ['1 view', 1],
    ['No views', 0],
    ['1.2K views', null],
    ['1,234 watching', null],
    [null, null],
  ])('%j is a count of %j', (given, count) => {
    expect(viewCount(given)).toBe(count);
  });

  it.each([
    [{ simpleText: 'a  b ' }, 'a  b '],
    [{ runs: [{ text: 'a' }, { text: 'b' }] }, 'ab'],
    [{ content: 'a\nb' }, 'a b'],
    ['a', 'a'],
    [{ runs: 'a' }, null],
    [undefined, null],
  ])('the text of %j is %j', (given, text) => {
    expect(textAt({ given }, 'given')).toBe(text);
  });

  it.each([
    [[{ url: 'https://i.ytimg.com/a' }, { url: 'https://i.ytimg.com/b' }], 'https://i.ytimg.com/b'],
    [[{ url: '//yt3.ggpht.com/a' }], 'https://yt3.ggpht.com/a'],
    [[{ url: 'javascript:alert(1)' }], null],
    [[{ url: 'http://169.254.169.254/' }], null],
    [[], null],
  ])('the picture of %j is %j', (thumbnails, url) => {
    expect(thumbnailAt({ thumbnails }, 'thumbnails')).toBe(url);
  });
});

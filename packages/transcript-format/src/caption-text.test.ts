import { describe, expect, it } from '@jest/globals';
import { joinLines } from './caption-text.ts';

describe('the lines of a caption', () => {
  it.each([
    ['你好世界第0集\nHello world, part 0', '你好世界第0集 Hello world, part 0'],
    ['Hello world\nこんにちは', 'Hello world こんにちは'],
    ['Hello world\nfriends', 'Hello world friends'],
    ['我们用Python\n写程序', '我们用Python写程序'],
    ['一共是\n20人', '一共是20人'],
  ])('%j are joined by a space if they are in two scripts, else as their script has it', (lines, text) => {
    expect(joinLines(lines)).toBe(text);
  });
});

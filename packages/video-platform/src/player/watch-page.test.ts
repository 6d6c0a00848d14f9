import { describe, expect, it } from '@jest/globals';
import { RefusedAnswer } from '../classification/refusal.ts';
import { extractPlayerJson } from './watch-page.ts';

const page = (script: string) => `<!DOCTYPE html><html><script>${script}</script></html>`;

describe('playerJsonOf', () => {
  it.each([
    ['braces and quotes inside strings', '{"a":"}{\\"}\\\\","b":{"c":1}}'],
    ['a script end inside a string', '{"a":"\\u003c/script>"}'],
    ['nothing', '{}'],
  ])('cuts out the object exactly: %s', (_, json) => {
    expect(extractPlayerJson(page(`var ytInitialPlayerResponse = ${json};var meta = {};`))).toBe(json);
  });

  it.each([
    `window["ytInitialPlayerResponse"] = `,
    `window['ytInitialPlayerResponse']=`,
    'ytInitialPlayerResponse=',
  ])('reads the assignment %s', (assignment) => {
    expect(extractPlayerJson(page(`${assignment}{"a":1};`))).toBe('{"a":1}');
  });

  it('skips other mentions of the name', () => {
    const script =
      'if (window.ytInitialPlayerResponse) x(); ytInitialPlayerResponse = null; ytInitialPlayerResponse={"a":1};';
    expect(extractPlayerJson(page(script))).toBe('{"a":1}');
  });

  it.each([
    ['no player', page('var x = {};')],
    ['an object that never ends', page('var ytInitialPlayerResponse = {"a":"'.repeat(3))],
  ])('rejects a page with %s', (_, html) => {
    expect(() => extractPlayerJson(html)).toThrow(RefusedAnswer);
  });
});

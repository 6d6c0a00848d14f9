import { describe, expect, it } from '@jest/globals';
import { readSource } from './source.ts';

describe('a link of one video', () => {
  it('that plays in a playlist is told how to send the whole playlist', () => {
    const link = 'https://www.youtube.com/watch?v=manualEn001&list=PLabcdefghijklmnop&index=2';
    expect(() => readSource(link)).toThrow(
      expect.objectContaining({
        code: 'single_video',
        message: expect.stringContaining('https://www.youtube.com/playlist?list=PLabcdefghijklmnop'),
      }),
    );
  });

  it('is told which route takes it', () => {
    expect(() => readSource('https://youtu.be/manualEn001')).toThrow(/\/v1\/transcript/);
  });
});

import { describe, expect, it } from '@jest/globals';
import { attachmentFileName, fileStem } from './attachment-file-name.ts';
import { video } from './test-support/cues.ts';

describe('attachmentFileName', () => {
  it('the UTC day stands before the title where it is known', () => {
    expect(attachmentFileName(video, 'srt')).toBe('2024-05-01 - Title.srt');
  });

  it('an unknown day is left out and an unknown title gives way to the id', () => {
    expect(attachmentFileName({ ...video, published_at: null }, 'both')).toBe('Title.txt');
    expect(attachmentFileName({ ...video, title: null }, 'md')).toBe('2024-05-01 - GJLlxj_dtq8.md');
    expect(attachmentFileName({ id: video.id, title: null, published_at: null }, 'json')).toBe(
      'GJLlxj_dtq8.json',
    );
  });

  it('archives get the same name without extension', () => {
    expect(fileStem(video)).toBe('2024-05-01 - Title');
  });
});

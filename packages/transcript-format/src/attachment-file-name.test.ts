import { describe, expect, it } from '@jest/globals';
import { transcriptFormats } from '@tds/contracts';
import { attachmentFileName, fileStem } from './attachment-file-name.ts';
import { video } from './test-support/cues.ts';

describe('attachmentFileName', () => {
  it('the UTC day stands before the title where it is known', () => {
    expect(attachmentFileName(video, { language: 'en', format: 'srt' })).toBe('2024-05-01 - Title.en.srt');
  });

  it('an unknown day is left out and an unknown title gives way to the id', () => {
    const nameOf = (given: Partial<typeof video>) =>
      attachmentFileName({ ...video, ...given }, { language: 'en', format: 'md' });
    expect(nameOf({ published_at: null })).toBe('Title.en.md');
    expect(nameOf({ title: null })).toBe('2024-05-01 - GJLlxj_dtq8.en.md');
    expect(nameOf({ title: null, published_at: null })).toBe('GJLlxj_dtq8.en.md');
  });

  it('no two formats or languages of a video share a name', () => {
    const files = transcriptFormats.flatMap((format) =>
      ['en', 'zh-Hans'].map((language) => attachmentFileName(video, { language, format })),
    );
    expect(new Set(files).size).toBe(files.length);
    expect(files).toContain('2024-05-01 - Title.zh-Hans.clean.txt');
  });

  it('a language code that is no tag cannot change where the name leads', () => {
    expect(attachmentFileName(video, { language: '../e\u202en', format: 'vtt' })).toBe(
      '2024-05-01 - Title.___e_n.vtt',
    );
  });

  it('archives get the same name without extension', () => {
    expect(fileStem(video)).toBe('2024-05-01 - Title');
  });
});

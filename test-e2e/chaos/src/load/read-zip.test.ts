import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import JSZip from 'jszip';
import { brokenIn } from './read-zip.ts';

const text = 'what was said';
const sha256 = createHash('sha256').update(text).digest('hex');
const name = 'Source/transcripts/2026-01-01 - Title.txt';
const rows = [
  { video_id: 'one', output_file: name, sha256 },
  { video_id: 'two', output_file: null, sha256: null },
];
const zipOf = (files: Readonly<Record<string, string>>): Promise<Buffer> => {
  const zip = new JSZip();
  for (const [path, content] of Object.entries(files)) zip.file(path, content);
  return zip.generateAsync({ type: 'nodebuffer' });
};
const manifest = { 'Source/manifest.json': JSON.stringify({ rows }) };

describe('reading the ZIP of a job', () => {
  it('finds nothing in one that has every file of its manifest', async () => {
    expect(await brokenIn(await zipOf({ ...manifest, [name]: text }))).toEqual([]);
  });

  it('finds a file that is missing, and one that is another', async () => {
    expect(await brokenIn(await zipOf(manifest))).toEqual(['one is missing']);
    expect(await brokenIn(await zipOf({ ...manifest, [name]: 'something else' }))).toHaveLength(1);
  });

  it('finds one without a manifest, and one that is cut off', async () => {
    expect(await brokenIn(await zipOf({ [name]: text }))).toEqual(['it has no manifest']);
    const whole = await zipOf({ ...manifest, [name]: text });
    expect(await brokenIn(whole.subarray(0, whole.length - 30))).toHaveLength(1);
  });
});

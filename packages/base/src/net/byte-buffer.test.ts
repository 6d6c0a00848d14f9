import { describe, expect, it } from '@jest/globals';
import { ByteBuffer } from './byte-buffer.ts';

describe('a byte buffer', () => {
  it('holds what was added, in order', () => {
    const buffer = new ByteBuffer(20_000);
    const pieces = Array.from({ length: 3_000 }, (_, index) => Buffer.from(`${index},`));
    for (const piece of pieces) expect(buffer.add(piece)).toBe(true);
    expect(buffer.bytes()).toEqual(Buffer.concat(pieces));
  });

  it('takes its bound and not one byte more', () => {
    const buffer = new ByteBuffer(10_000);
    expect(buffer.add(Buffer.alloc(10_000, 'x'))).toBe(true);
    expect(buffer.add(Buffer.from('y'))).toBe(false);
    expect(String(buffer.bytes())).toBe('x'.repeat(10_000));
  });

  it('takes no more memory for pieces of one byte than twice the bytes', () => {
    const bytes = 1_000_000;
    const buffer = new ByteBuffer(4 * bytes);
    const piece = Buffer.from('x');
    for (let at = 0; at < bytes; at += 1) buffer.add(piece);
    expect(buffer.capacity).toBeLessThanOrEqual(2 * bytes);
    expect(buffer.bytes()).toHaveLength(bytes);
  });
});

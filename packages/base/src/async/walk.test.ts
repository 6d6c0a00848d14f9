import { describe, expect, it } from '@jest/globals';
import { each, walk, walkAll } from './walk.ts';

const rows = Array.from({ length: 25 }, (_, n) => ({ id: String(n).padStart(36, '0') }));
type Row = (typeof rows)[number];
const find = async (after: Row | null) => rows.filter(({ id }) => id > (after?.id ?? '')).slice(0, 10);
const signal = new AbortController().signal;

describe('a walk over what is overdue', () => {
  it('comes to everything, whatever fails on the way, and tells of the failures in the end', async () => {
    const done: string[] = [];
    const walking = walk(
      find,
      each(async ({ id }) => {
        if (id === rows[3]?.id) throw new Error('cannot be done');
        done.push(id);
      }),
      signal,
    );
    await expect(walking).rejects.toThrow('1 pages of a walk failed');
    expect(done).toHaveLength(rows.length - 1);
  });

  it('ends with its signal', async () => {
    let pages = 0;
    const ending = new AbortController();
    await walk(
      find,
      async () => {
        pages += 1;
        ending.abort();
      },
      ending.signal,
    );
    expect(pages).toBe(1);
  });

  it('fails alone: the others come to their end before the error is thrown', async () => {
    const done: string[] = [];
    const walking = walkAll([
      walk(find, async () => Promise.reject(new Error('cannot be done')), signal),
      walk(
        find,
        each(async ({ id }) => void done.push(id)),
        signal,
      ),
    ]);
    await expect(walking).rejects.toThrow('3 pages of a walk failed');
    expect(done).toHaveLength(rows.length);
    const both = [Promise.reject(new Error('one')), Promise.reject(new Error('two'))];
    await expect(walkAll(both)).rejects.toThrow('2 walks failed');
  });
});

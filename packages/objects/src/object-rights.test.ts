import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { type Objects, withRights } from './object-store.ts';

const reached: string[] = [];
const note = (name: string) => async () => {
  reached.push(name);
  return null as never;
};
const everything: Objects = {
  put: note('put'),
  putAll: note('putAll'),
  get: note('get'),
  getBytes: note('getBytes'),
  getAll: note('getAll'),
  findExisting: note('existing'),
  delete: note('delete'),
  stat: note('stat'),
};
const store = withRights(everything, 'archiver', { writes: ['archives/'], reads: ['rendered/'] });
const data = Buffer.from('x');
const writing = {
  put: (key: string) => store.put(key, data),
  putAll: (key: string) =>
    store.putAll([
      { key: 'archives/1', data },
      { key, data },
    ]),
  delete: (key: string) => store.delete(key),
};
const reading = {
  get: (key: string) => store.get(key),
  getBytes: (key: string) => store.getBytes(key),
  getAll: (key: string) => store.getAll(['archives/1', key]),
  existing: (key: string) => store.findExisting(['archives/1', key]),
  stat: (key: string) => store.stat(key),
};

describe('a store with the rights of one service', () => {
  it.each(Object.entries({ ...writing, ...reading }))('%s reaches what it keeps', async (name, work) => {
    reached.length = 0;
    await work('archives/1/1.zip');
    expect(reached).toEqual([name]);
  });

  it.each(Object.entries(reading))('%s reaches what it may only read', async (name, work) => {
    reached.length = 0;
    await work('rendered/1/srt');
    expect(reached).toEqual([name]);
  });

  it.each(Object.entries(writing))('%s never reaches what it may only read', async (_name, work) => {
    reached.length = 0;
    await expect(work('rendered/1/srt')).rejects.toThrow('archiver may not');
    expect(reached).toEqual([]);
  });

  it.each(Object.entries({ ...writing, ...reading }))(
    '%s never reaches what the surface does not name, nor keys that only look like it',
    async (_name, work) => {
      reached.length = 0;
      for (const key of ['cues/1', 'archives', 'archivesx/1', 'Archives/1', '/archives/1', ''])
        await expect(work(key)).rejects.toThrow('archiver may not');
      expect(reached).toEqual([]);
    },
  );

  it('a stream that is refused is destroyed, as every stream that is given to a store', async () => {
    const source = Readable.from([data]);
    await expect(store.put('cues/1', source)).rejects.toThrow('archiver may not write the object cues/1');
    expect(source.destroyed).toBe(true);
  });
});

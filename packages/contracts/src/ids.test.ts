import { describe, expect, it } from '@jest/globals';
import { uuid } from './ids.ts';

const id = '3f0a9a3e-5d0e-4c53-9d57-0a4ff3f5c0de';

describe('a UUID', () => {
  it('is the same id in either case, so that what is sealed or counted under it is found again', () => {
    expect([uuid.parse(id.toUpperCase()), uuid.parse(id)]).toEqual([id, id]);
  });

  it.each(['', 'x', `${id}0`, `{${id}}`, id.replaceAll('-', ''), ` ${id}`])('is not %j', (text) => {
    expect(uuid.safeParse(text).success).toBe(false);
  });
});

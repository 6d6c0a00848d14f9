import { describe, expect, it } from '@jest/globals';
import { methodsByPath, routeTable } from './index.ts';

describe('the route table', () => {
  it('has each id, and each method of a path, once', () => {
    const ids = routeTable.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const ends = routeTable.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(ends).size).toBe(ends.length);
  });

  it('allows HEAD if it allows GET, and OPTIONS always', () => {
    for (const [, methods] of methodsByPath(routeTable)) {
      expect(methods.includes('HEAD')).toBe(methods.includes('GET'));
      expect(methods.at(-1)).toBe('OPTIONS');
    }
  });
});

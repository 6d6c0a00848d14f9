import { describe, expect, it } from '@jest/globals';
import { operations } from './operations.ts';
import { properties } from './properties.ts';

describe('the form', () => {
  it('offers exactly the operations that the node has', () => {
    const offered = properties
      .filter(({ name }) => name === 'operation')
      .flatMap(({ options = [], displayOptions }) =>
        options.map((option) => `${displayOptions?.show?.resource?.[0]}.${'value' in option && option.value}`),
      );
    expect(offered.sort()).toEqual(Object.keys(operations).sort());
  });
});

describe('the language', () => {
  it('is the spoken one in new nodes, and English in those of existing workflows', () => {
    const defaults = properties
      .filter(({ name }) => name === 'language')
      .map(({ displayOptions, default: byDefault }) => [displayOptions?.show?.['@version'], byDefault]);
    expect(defaults).toEqual([
      [[1], ''],
      [[2], 'orig'],
      [[1], ''],
      [[2], 'orig'],
      [[1], ''],
      [[2], 'orig'],
    ]);
  });
});

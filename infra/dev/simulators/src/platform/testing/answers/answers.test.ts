import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { allFiles, answerSources, derived, derivedFolder, derivedPath, readingPath } from './answers.ts';
import { findLeakedTokens } from './survivors.ts';

describe('the made-up answers', () => {
  it.each(allFiles)('$name is there', ({ name }) => {
    expect(derived.body(name)).not.toBe('');
  });

  it('are below a megabyte together, and nothing lies beside them', () => {
    const files = readdirSync(derivedFolder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    const known = new Set(
      allFiles
        .flatMap((file) => [derivedPath(file), readingPath(file)])
        .map((path) => join(derivedFolder, path)),
    );
    expect(files.filter((file) => !known.has(file))).toEqual([]);
    expect(files.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThan(1_000_000);
  });
});

const recorded = answerSources.find(({ name }) => name === 'recorded');

(recorded === undefined ? describe.skip : describe)('beside the recorded answers', () => {
  it('no word, name, id or link of theirs is in the made-up ones', () => {
    expect(findLeakedTokens(recorded!, derived)).toEqual([]);
  });

  it('a word that survives is found', () => {
    expect(findLeakedTokens(recorded!, recorded!)).not.toEqual([]);
  });
});

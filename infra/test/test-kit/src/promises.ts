import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const TEST_FILES = '{packages,services,infra,test-e2e}/**/*.test.ts';
/** Only `npm run prove` runs these, and no promise may stand in them alone. */
const PROOFS = /\.prove\./;

/** The first argument of `it`, `describe` and of what their `each` returns. */
const titles = /(?:\b(?:it|describe)(?:\.(?:skip|concurrent))?|\)|`)\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1\s*,/g;

/** What `npm test` promises: the titles of each of its test files. A removed line is a promise that nothing tests any more. */
export const promisesText = (root: string): string =>
  globSync(TEST_FILES, { cwd: root, exclude: (name) => name === 'node_modules' || PROOFS.test(name) })
    .toSorted()
    .flatMap((file) => [
      file,
      ...[...readFileSync(path.join(root, file), 'utf8').matchAll(titles)].map(
        ([, , title = '']) => `  ${title.replaceAll(/\s*\n\s*/g, ' ')}`,
      ),
    ])
    .join('\n')
    .concat('\n');

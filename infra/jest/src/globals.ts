import type * as Jest from '@jest/globals';

type Globals = typeof Jest;

/** What a test gets that imports `@jest/globals`: those of the test file that runs, also for modules that files share. */
export let afterAll: Globals['afterAll'];
export let afterEach: Globals['afterEach'];
export let beforeAll: Globals['beforeAll'];
export let beforeEach: Globals['beforeEach'];
export let describe: Globals['describe'];
export let expect: Globals['expect'];
export let it: Globals['it'];
export let jest: Globals['jest'];
export let test: Globals['test'];

/** Jest makes them anew for each test file. */
export const lend = (globals: Globals): void => {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } = globals);
};

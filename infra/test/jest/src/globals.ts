import type * as Jest from '@jest/globals';

type Globals = typeof Jest;

let current: Globals;

/** Jest makes its globals anew for each test file. */
export const lend = (globals: Globals): void => {
  current = globals;
};

const isPart = (value: unknown): value is object => typeof value === 'function' || typeof value === 'object';

/** A part of the globals, as `it` or `it.skip`: those of the file that runs when it is called, also for modules that files share. */
const late = <T>(owner: () => object, name: PropertyKey): T => {
  const part = (): object => Reflect.get(owner(), name);
  return new Proxy((() => undefined) as T & object, {
    apply: (_target, _self, args) => Reflect.apply(part() as () => unknown, owner(), args),
    get: (_target, key) => (isPart(Reflect.get(part(), key)) ? late(part, key) : Reflect.get(part(), key)),
  });
};

const lent = <Name extends keyof Globals>(name: Name): Globals[Name] => late(() => current, name);

export const afterAll = lent('afterAll');
export const afterEach = lent('afterEach');
export const beforeAll = lent('beforeAll');
export const beforeEach = lent('beforeEach');
export const describe = lent('describe');
export const expect = lent('expect');
export const it = lent('it');
export const jest = lent('jest');
export const test = lent('test');

type Builtins = {
  'node:crypto': typeof import('node:crypto');
  'node:fs/promises': typeof import('node:fs/promises');
};

/** A module of Node; undefined elsewhere. Without an import, so bundles for browsers need no configuration. */
export const builtin = <Name extends keyof Builtins>(name: Name): Builtins[Name] | undefined =>
  globalThis.process?.getBuiltinModule?.(name) as Builtins[Name] | undefined;

export const environment = (name: string): string | undefined => globalThis.process?.env?.[name];

type Path = readonly (string | number)[];

const MAX_ITEMS = 3;

/** Every key path of a JSON value; long lists are represented by their first items. */
const listPaths = (value: unknown, path: Path = []): Path[] => {
  if (typeof value !== 'object' || value === null) return [];
  const entries = Array.isArray(value) ? [...value.entries()].slice(0, MAX_ITEMS) : Object.entries(value);
  return entries.flatMap(([key, inner]) => [[...path, key], ...listPaths(inner, [...path, key])]);
};

const REMOVED = Symbol('removed');

const changeAt = (value: unknown, [key, ...tail]: Path, replace: (old: unknown) => unknown): unknown => {
  if (key === undefined) return replace(value);
  if (Array.isArray(value)) {
    return value.flatMap((item, at) => {
      const next = at === key ? changeAt(item, tail, replace) : item;
      return next === REMOVED ? [] : [next];
    });
  }
  const entries = Object.entries(value as object).flatMap(([name, item]) => {
    const next = name === key ? changeAt(item, tail, replace) : item;
    return next === REMOVED ? [] : [[name, next]];
  });
  return Object.fromEntries(entries);
};

const retyped = (old: unknown): unknown => {
  if (typeof old === 'string') return 7;
  if (typeof old === 'number') return { not: 'a number' };
  if (typeof old === 'boolean') return 'yes';
  return Array.isArray(old) ? { not: 'a list' } : ['not an object'];
};

const changes: Readonly<Record<string, (old: unknown) => unknown>> = {
  dropped: () => REMOVED,
  null: () => null,
  retyped,
};

export type Mutant = { readonly name: string; readonly body: string };

/** Every key path dropped, made null and retyped; the text cut off at several places; a page in its place. */
export function* generateMutants(body: string): Generator<Mutant> {
  const value: unknown = JSON.parse(body);
  for (const path of listPaths(value)) {
    for (const [name, replace] of Object.entries(changes)) {
      yield { name: `${path.join('.')} ${name}`, body: JSON.stringify(changeAt(value, path, replace)) };
    }
  }
  for (const share of [0, 0.01, 0.3, 0.7, 0.99]) {
    yield { name: `cut at ${share}`, body: body.slice(0, Math.floor(body.length * share)) };
  }
  yield { name: 'a page instead', body: '<!DOCTYPE html><html><body>{}</body></html>' };
}

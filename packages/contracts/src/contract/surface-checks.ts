import type { Surface } from './surface.ts';

const shown = (message: { owner: string; name: string }): string => `${message.owner}.${message.name}`;

/** What a surface takes, by the word for it, and the messages that some contract has to give. */
const takenBy = (surface: Surface) =>
  [
    ...surface.calls.map((message) => ({ message, taken: 'called', given: 'commands' }) as const),
    ...surface.subscriptions.map(
      (message) => ({ message, taken: 'subscribed to', given: 'events' }) as const,
    ),
    ...surface.broadcasts.map((message) => ({ message, taken: 'received', given: 'events' }) as const),
    ...surface.reads.map((message) => ({ message, taken: 'read', given: 'projections' }) as const),
    ...surface.readsObjects.map((message) => ({ message, taken: 'read', given: 'objects' }) as const),
  ] satisfies readonly object[];

/** Whoever writes keys of a kind may delete them, so one service does. */
function sharedPrefixes(surfaces: readonly Surface[]): string[] {
  const kinds = surfaces.flatMap(({ contract }) => Object.values(contract.objects));
  const ownersOf = (prefix: string) =>
    kinds.filter((kind) => kind.prefix === prefix).map(({ owner }) => owner);
  return [...new Set(kinds.map(({ prefix }) => prefix))]
    .filter((prefix) => ownersOf(prefix).length > 1)
    .map((prefix) => `objects ${prefix} are kept by ${ownersOf(prefix).join(' and ')}`);
}

/** What is wrong between surfaces: what nobody gives, objects of two owners, and commands that call in a circle. */
export function checkSurfaces(surfaces: readonly Surface[]): string[] {
  const isGiven = (kind: 'commands' | 'events' | 'projections' | 'objects', message: object): boolean =>
    surfaces.some(({ contract }) => (Object.values(contract[kind]) as object[]).includes(message));
  const problems = surfaces.flatMap((surface) =>
    takenBy(surface)
      .filter(({ given, message }) => !isGiven(given, message))
      .map(({ message, taken }) => `${surface.name}: ${shown(message)} is ${taken} but nobody gives it`),
  );
  return [...problems, ...sharedPrefixes(surfaces), ...findCycles(surfaces)];
}

function findCycles(surfaces: readonly Surface[]): string[] {
  const callees = new Map(
    surfaces.map(({ name, calls }) => [
      name as string,
      [...new Set(calls.map(({ owner }) => owner as string))],
    ]),
  );
  const visit = (name: string, path: readonly string[]): string[] => {
    if (path.includes(name))
      return [`calls form a cycle: ${[...path.slice(path.indexOf(name)), name].join(' -> ')}`];
    return (callees.get(name) ?? []).flatMap((callee) => visit(callee, [...path, name]));
  };
  return [...new Set([...callees.keys()].flatMap((name) => visit(name, [])))].slice(0, 1);
}

import type { Surface } from './surface.ts';

const named = (surface: Surface, subject: string): string => `${surface.name}: ${subject}`;

/** What is wrong between surfaces: facts nobody tells, calls nobody answers, commands that call in a circle. */
export function checkSurfaces(surfaces: readonly Surface[]): string[] {
  const emitted = new Set(surfaces.flatMap(({ emits }) => emits.map(({ subject }) => subject)));
  const answered = new Set(surfaces.flatMap(({ answers }) => answers.map(({ subject }) => subject)));
  const problems = surfaces.flatMap((surface) => [
    ...[...surface.hears, ...surface.watches]
      .filter(({ subject }) => !emitted.has(subject))
      .map(({ subject }) => `${named(surface, subject)} is heard but emitted by nobody`),
    ...surface.calls
      .filter(({ subject }) => !answered.has(subject))
      .map(({ subject }) => `${named(surface, subject)} is called but answered by nobody`),
  ]);
  return [...problems, ...findCycles(surfaces)];
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

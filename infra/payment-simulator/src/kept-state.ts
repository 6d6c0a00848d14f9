import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Simulation } from './simulation.ts';
import { type Collection, collections, type Resource } from './state.ts';

type Kept = Record<Collection, Resource[]> & { readonly answered: [string, never][] };

/** Keeps the objects that services remember over a restart. */
export const keepState = ({ state, answered }: Simulation, file: string): { save(): void } => {
  if (existsSync(file)) {
    const kept = JSON.parse(readFileSync(file, 'utf8')) as Kept;
    for (const collection of collections)
      for (const resource of kept[collection]) state[collection].set(resource.id, resource);
    for (const [key, answer] of kept.answered) answered.set(key, answer);
  }
  const save = (): void => {
    const kept = Object.fromEntries(collections.map((name) => [name, [...state[name].values()]]));
    const beside = `${file}.new`;
    writeFileSync(beside, JSON.stringify({ ...kept, answered: [...answered] }), { mode: 0o600 });
    renameSync(beside, file);
  };
  return { save };
};

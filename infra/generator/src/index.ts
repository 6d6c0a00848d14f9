export { type Kind, kinds, newThing } from './new-thing.ts';
export type { Workspace } from './workspace.ts';

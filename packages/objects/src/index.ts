export type { NewObject, Objects } from './object-store.ts';

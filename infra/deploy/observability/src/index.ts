export { recordings } from './slos.ts';

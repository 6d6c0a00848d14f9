export * from './parse-fields.ts';
export { nearestName } from './unknown-names.ts';

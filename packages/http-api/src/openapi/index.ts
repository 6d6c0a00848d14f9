export { argumentsSchema, resultSchema } from './bodies.ts';
export * from './changes.ts';
export { openApiDocument } from './document.ts';
export { EXAMPLE_ORIGIN, recordedExamples } from './examples.ts';
export { createSchemas } from './schemas.ts';

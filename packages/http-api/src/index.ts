export * from './answer-headers.ts';
export * from './changes.ts';
export { languageField } from './common-fields.ts';
export * from './define-route.ts';
export * from './envelope.ts';
export {
  ERRORS_INTRODUCTION,
  type ErrorSection,
  errorSections,
  errorsReferenceMarkdown,
} from './errors-reference.ts';
export { argumentsSchema, resultSchema } from './openapi/bodies.ts';
export { openApiDocument } from './openapi/document.ts';
export { EXAMPLE_ORIGIN, recordedExamples } from './openapi/examples.ts';
export * from './parse-fields.ts';
export * from './route-errors.ts';
export * from './routes.ts';
export { nearestName } from './unknown-names.ts';
export { webhookCatalogueMarkdown } from './webhook-catalogue.ts';

export * from './answer-headers.ts';
export { atomFeed, escapeXml } from './atom.ts';
export { languageField } from './common-fields.ts';
export * from './define-route.ts';
export * from './envelope.ts';
export * from './fields/index.ts';
export * from './openapi/index.ts';
export * from './route-errors.ts';
export * from './routes/index.ts';

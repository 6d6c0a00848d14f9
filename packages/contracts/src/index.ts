export * from './errors/error-classes.ts';
export * from './errors/error-codes.ts';
export * from './errors/service-error.ts';
export * from './ids.ts';
export * from './transcript.ts';

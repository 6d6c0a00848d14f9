export {
  type ErrorClass,
  type ErrorCodeDefinition,
  errorClasses,
} from './error-classes.ts';
export * from './error-codes.ts';
export * from './service-error.ts';

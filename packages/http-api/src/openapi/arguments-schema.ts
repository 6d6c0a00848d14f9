import type { Fields } from '../define-route.ts';
import { bodySchema, requiredNames } from './operation.ts';
import { createSchemas, type Json } from './schemas.ts';

/** The JSON Schema of a tool's arguments, without references: the rules of the routes' own fields. */
export const argumentsSchema = (fields: Fields): Json => {
  const schemas = createSchemas();
  const made = bodySchema(fields, requiredNames(fields), schemas);
  const inline = (_key: string, value: unknown): unknown => {
    const { $ref, ...rest } = (value ?? {}) as Json;
    return typeof $ref === 'string'
      ? { ...(schemas.components[$ref.split('/').at(-1) ?? ''] as Json), ...rest }
      : value;
  };
  return JSON.parse(JSON.stringify(made), inline) as Json;
};

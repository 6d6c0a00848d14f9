import type { z } from 'zod';
import type { Field, Fields, Route } from '../define-route.ts';
import { createSchemas, type Json, readName, type Schemas } from './schemas.ts';

export const isOptional = (schema: z.ZodType): boolean => schema.safeParse(undefined).success;

/** Names the default in words: with `default`, generators make the field a required one. */
const fieldSchema = ({ schema, description }: Field, schemas: Schemas): Json => {
  const { default: byDefault, ...json } = schemas.input(schema);
  const defaultText = byDefault === undefined ? '' : `. Default: ${JSON.stringify(byDefault)}`;
  return { ...json, description: `${json.description ?? description}${defaultText}` };
};

const bodySchema = (fields: Fields, required: readonly string[], schemas: Schemas): Json => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, fieldSchema(field, schemas)]),
  ),
  required,
  additionalProperties: false,
});

/** The fields that one form of a body has: those of all forms and its own. */
const pickFormFields = (fields: Fields, forms: NonNullable<Route['bodyForms']>, name: string): Fields => {
  const otherFormFields = new Set(Object.values(forms).flat());
  for (const own of forms[name] ?? []) otherFormFields.delete(own);
  return Object.fromEntries(Object.entries(fields).filter(([field]) => !otherFormFields.has(field)));
};

const formSchemas = (fields: Fields, forms: NonNullable<Route['bodyForms']>, schemas: Schemas): Json[] =>
  Object.entries(forms).map(([name, [first = '']]) =>
    schemas.named(name, bodySchema(pickFormFields(fields, forms, name), [first], schemas)),
  );

const requiredNames = (fields: Fields): readonly string[] =>
  Object.keys(fields).filter((name) => !isOptional((fields[name] as Field).schema));

/** Some model APIs reject a list of tools whole for these. */
const notForModels: readonly string[] = ['propertyNames', 'examples'];
/** Nor does a reader of results need their bounds, and each assistant pays for them. */
const bounds = [...notForModels, 'default', 'maxItems', 'maxLength', 'minimum', 'pattern'];

/** The schema with all that it refers to in the places of its references. */
const withoutReferences = (schema: unknown, schemas: Schemas, omittedKeys = notForModels): unknown => {
  if (Array.isArray(schema)) return schema.map((each) => withoutReferences(each, schemas, omittedKeys));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref, ...own } = schema as Json;
  const resolvedSchema =
    $ref === undefined ? own : { ...(schemas.components[readName({ $ref })] as Json), ...own };
  return Object.fromEntries(
    Object.entries(resolvedSchema)
      .filter(([name]) => !omittedKeys.includes(name))
      // A list of types is no keyword of the smaller dialects.
      .map(([name, each]) =>
        name === 'type' && Array.isArray(each) ? ['anyOf', each.map((type) => ({ type }))] : [name, each],
      )
      .map(([name, each]) => [name, withoutReferences(each, schemas, omittedKeys)]),
  );
};

/** The JSON Schema of a tool's arguments, without references: the rules of the routes' own fields. */
export const argumentsSchema = (fields: Fields): Json => {
  const schemas = createSchemas();
  return withoutReferences(bodySchema(fields, requiredNames(fields), schemas), schemas) as Json;
};

/** The JSON Schema of a tool's result, without references. It may gain fields, as answers may. */
export const resultSchema = (result: z.ZodType): Json => {
  const schemas = createSchemas();
  return { type: 'object', ...(withoutReferences(schemas.output(result), schemas, bounds) as Json) };
};

export const requestBody = ({ id, bodyForms }: Route, fields: Fields, schemas: Schemas): Json => {
  const name = `${id.charAt(0).toUpperCase()}${id.slice(1)}Request`;
  const required = requiredNames(fields);
  const body = bodyForms
    ? { oneOf: formSchemas(fields, bodyForms, schemas) }
    : bodySchema(fields, required, schemas);
  return {
    required: required.length > 0 || bodyForms !== undefined,
    content: { 'application/json': { schema: schemas.named(name, body) } },
  };
};

import { z } from 'zod';

export type Json = { [key: string]: unknown };

const DEFS = '#/$defs/';
const COMPONENTS = '#/components/schemas/';

/** Readers need the format; the pattern behind it is zod's own. */
const withoutNoise = (made: Json): void => {
  if (made.format !== undefined) delete made.pattern;
};

/** What a rule's `meta` tells of its input; zod leaves it out where the rule transforms what it gets. */
const toldInputs = (schema: unknown): Json => {
  const { default: byDefault, examples }: Json = z.globalRegistry.get(schema as z.ZodType) ?? {};
  return {
    ...(byDefault === undefined ? {} : { default: byDefault }),
    ...(examples === undefined ? {} : { examples }),
  };
};

const withNewFields = (made: Json): void => {
  if (made.additionalProperties === false) delete made.additionalProperties;
};

const asComponents = (_key: string, value: unknown): unknown =>
  typeof value === 'string' && value.startsWith(DEFS) ? value.replace(DEFS, COMPONENTS) : value;

/** Turns zod's schemas into JSON Schema; those with an `id` become components of the document, once. */
export const createSchemas = () => {
  const components: Record<string, unknown> = {};
  const responses: Record<string, Json> = {};
  const outputs = new Map<z.ZodType, Json>();
  const convert = (
    schema: z.ZodType,
    io: 'input' | 'output',
    refine: (made: Json, rule: unknown) => void,
  ): Json => {
    const document = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      override: ({ jsonSchema, zodSchema }) => {
        withoutNoise(jsonSchema as Json);
        refine(jsonSchema as Json, zodSchema);
      },
    });
    const { $schema: _dialect, $defs, ...rest } = JSON.parse(JSON.stringify(document, asComponents)) as Json;
    Object.assign(components, $defs);
    return rest;
  };
  return {
    components,
    /** Answers that several routes share. */
    responses,
    input: (schema: z.ZodType): Json =>
      convert(schema, 'input', (made, rule) => void Object.assign(made, toldInputs(rule))),
    /** Answers may gain fields: nobody may refuse them for that. Each is made once: hundreds of answers are the error envelope. */
    output: (schema: z.ZodType): Json => {
      const made = outputs.get(schema) ?? convert(schema, 'output', withNewFields);
      outputs.set(schema, made);
      return made;
    },
  };
};
export type Schemas = ReturnType<typeof createSchemas>;

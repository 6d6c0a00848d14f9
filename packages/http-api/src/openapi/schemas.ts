import { z } from 'zod';

export type Json = { [key: string]: unknown };

const DEFS = '#/$defs/';
const COMPONENTS = '#/components/schemas/';

/** The name of the component that a reference leads to. */
export const nameOf = ({ $ref }: Json): string => String($ref).split('/').at(-1) ?? '';

/** Readers need the format, not zod's own pattern of it, and no bounds of JavaScript's integers. */
const withoutNoise = (made: Json): void => {
  if (made.format !== undefined) delete made.pattern;
  if (made.minimum === Number.MIN_SAFE_INTEGER) delete made.minimum;
  if (made.maximum === Number.MAX_SAFE_INTEGER) delete made.maximum;
};

/** The defaults and examples in a rule's `meta`; zod omits them if the rule transforms its input. */
const inputFacts = (schema: unknown): Json => {
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
  const examples: Record<string, Json> = {};
  const outputs = new Map<z.ZodType, Json>();
  const addComponents = (made: Json = {}): void => {
    for (const [name, schema] of Object.entries(made)) {
      components[name] ??= schema;
      if (JSON.stringify(components[name]) !== JSON.stringify(schema))
        throw new Error(`two schemas are named ${name}`);
    }
  };
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
    addComponents($defs as Json | undefined);
    return rest;
  };
  return {
    components,
    /** Makes a component of a schema. */
    named: (name: string, schema: Json): Json => {
      addComponents({ [name]: schema });
      return { $ref: `${COMPONENTS}${name}` };
    },
    /** Answers and examples that several routes share. */
    responses,
    examples,
    input: (schema: z.ZodType): Json =>
      convert(schema, 'input', (made, rule) => void Object.assign(made, inputFacts(rule))),
    /** Answers may gain fields, so a client must not reject new ones. Converts each schema once: hundreds of answers are the error envelope. */
    output: (schema: z.ZodType): Json => {
      const made = outputs.get(schema) ?? convert(schema, 'output', withNewFields);
      outputs.set(schema, made);
      return made;
    },
  };
};
export type Schemas = ReturnType<typeof createSchemas>;

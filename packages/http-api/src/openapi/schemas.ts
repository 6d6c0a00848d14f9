import { z } from 'zod';

export type Json = { [key: string]: unknown };

const DEFS = '#/$defs/';
const COMPONENTS = '#/components/schemas/';

/** The name of the component that a reference leads to. */
export const readName = ({ $ref }: Json): string => String($ref).split('/').at(-1) ?? '';

/** Readers need the format, not zod's own pattern of it, and no bounds of JavaScript's integers or of messages. */
const withoutNoise = (json: Json): void => {
  delete json.maxBytes;
  if (json.format !== undefined) delete json.pattern;
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
};

/** The defaults and examples in a rule's `meta`; zod omits them if the rule transforms its input. */
const inputFacts = (schema: unknown): Json => {
  const { default: byDefault, examples }: Json = z.globalRegistry.get(schema as z.ZodType) ?? {};
  return {
    ...(byDefault === undefined ? {} : { default: byDefault }),
    ...(examples === undefined ? {} : { examples }),
  };
};

const withNewFields = (json: Json): void => {
  if (json.additionalProperties === false) delete json.additionalProperties;
};

const asComponents = (_key: string, value: unknown): unknown =>
  typeof value === 'string' && value.startsWith(DEFS) ? value.replace(DEFS, COMPONENTS) : value;

/** Turns zod's schemas into JSON Schema; those with an `id` become components of the document, once. */
export const createSchemas = () => {
  const components: Record<string, unknown> = {};
  const responses: Record<string, Json> = {};
  const examples: Record<string, Json> = {};
  const outputs = new Map<z.ZodType, Json>();
  const addComponents = (json: Json = {}): void => {
    for (const [name, schema] of Object.entries(json)) {
      components[name] ??= schema;
      if (JSON.stringify(components[name]) !== JSON.stringify(schema))
        throw new Error(`two schemas are named ${name}`);
    }
  };
  const convert = (
    schema: z.ZodType,
    io: 'input' | 'output',
    refine: (json: Json, rule: unknown) => void,
  ): Json => {
    const document = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      override: ({ jsonSchema, zodSchema }) => {
        withoutNoise(jsonSchema as Json);
        refine(jsonSchema as Json, zodSchema);
      },
    });
    const json = JSON.parse(JSON.stringify(document, asComponents)) as Json;
    const { $schema: _dialect, $defs, ...result } = json;
    addComponents($defs as Json | undefined);
    return result;
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
      convert(schema, 'input', (json, rule) => void Object.assign(json, inputFacts(rule))),
    /** Answers may gain fields, so a client must not reject new ones. Converts each schema once: hundreds of answers are the error envelope. */
    output: (schema: z.ZodType): Json => {
      const json = outputs.get(schema) ?? convert(schema, 'output', withNewFields);
      outputs.set(schema, json);
      return json;
    },
  };
};
export type Schemas = ReturnType<typeof createSchemas>;

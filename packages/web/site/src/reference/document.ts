import { openApiDocument, type Route, type routes, routeTable } from '@tds/http-api';
import type { Installation } from '../facts.ts';

/** A schema of the document, as far as the reference shows it. */
export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
};

type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly description: string;
  readonly required: boolean;
  readonly schema: Schema;
};

export type Response = {
  readonly description: string;
  readonly content?: Readonly<
    Record<string, { readonly schema: Schema; readonly examples?: Readonly<Record<string, unknown>> }>
  >;
};

export type Operation = {
  readonly id: keyof typeof routes;
  readonly method: Route['method'];
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters: readonly Parameter[];
  readonly body: Schema | null;
  readonly responses: readonly (readonly [status: string, Response])[];
  /** By status. */
  readonly codes: readonly (readonly [status: string, readonly string[]])[];
};

export type Resource = {
  readonly name: string;
  readonly description: string;
  /** Its page. */
  readonly path: string;
  readonly operations: readonly Operation[];
};

export type ReferenceDocument = {
  readonly resources: readonly Resource[];
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
};

type RawOperation = {
  readonly operationId: keyof typeof routes;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security: Operation['security'];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
  readonly responses: Readonly<Record<string, Response>>;
};
type Raw = {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  readonly components: Pick<ReferenceDocument, 'schemas' | 'examples'>;
};

const FIRST_ERROR = 400;

const toOperation = (path: string, method: string, raw: RawOperation): Operation => {
  const responses = Object.entries(raw.responses);
  return {
    id: raw.operationId,
    method: method.toUpperCase() as Route['method'],
    path,
    summary: raw.summary,
    description: raw.description,
    security: raw.security,
    parameters: raw.parameters,
    body: raw.requestBody?.content['application/json'].schema ?? null,
    responses: responses.filter(([status]) => Number(status) < FIRST_ERROR),
    codes: responses
      .filter(([status]) => Number(status) >= FIRST_ERROR)
      .map(([status, { description }]) => [status, description.split(', ')]),
  };
};

/** The page of a tag. */
export const pathOf = (tag: string): string => `/reference/${tag.toLowerCase().replaceAll(' ', '-')}`;

/** The OpenAPI document of this installation, by resources. */
export const referenceDocument = ({ publicUrl, supportEmail }: Installation): ReferenceDocument => {
  const { tags, paths, components } = openApiDocument(routeTable, publicUrl, supportEmail) as unknown as Raw;
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, raw]) => ({ tag: raw.tags[0], ...toOperation(path, method, raw) })),
  );
  return {
    ...components,
    resources: tags.map(({ name, description }) => ({
      name,
      description,
      path: pathOf(name),
      operations: operations.filter(({ tag }) => tag === name),
    })),
  };
};

export const schemaName = ({ $ref }: Schema): string | undefined => $ref?.split('/').at(-1);

const innerOf = (schema: Schema): readonly Schema[] => [
  ...Object.values(schema.properties ?? {}),
  ...(schema.items ? [schema.items] : []),
  ...(schema.anyOf ?? []),
  ...(schema.oneOf ?? []),
  ...(schema.allOf ?? []),
];

/** The names of all schemas that some schemas lead to, in the order in which they come up. */
export const reachable = (
  roots: readonly Schema[],
  schemas: ReferenceDocument['schemas'],
): readonly string[] => {
  const names = new Set<string>();
  const visit = (schema: Schema): void => {
    const name = schemaName(schema);
    if (name !== undefined) {
      if (names.has(name)) return;
      names.add(name);
      visit(schemas[name] ?? {});
    }
    for (const inner of innerOf(schema)) visit(inner);
  };
  for (const root of roots) visit(root);
  return [...names];
};

/** The schemas that an operation answers. */
export const answersOf = ({ responses }: Operation): readonly Schema[] =>
  responses.flatMap(([, { content = {} }]) => Object.values(content).map(({ schema }) => schema));

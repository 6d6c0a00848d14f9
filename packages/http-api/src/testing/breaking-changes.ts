type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly [keyword: string]: unknown;
};
type Content = Readonly<Record<string, { readonly schema?: Schema }>>;
type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
};
type Response = { readonly headers?: object; readonly content?: Content };
type Operation = {
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
};
export type ApiDocument = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks?: ApiDocument['paths'];
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
  };
};

/** A client sends input and reads output: input may become wider, output may become narrower and gain fields. */
type Direction = 'input' | 'output';
type Pair<Part> = readonly [old: Part, now: Part];
const FIRST_ERROR = 400;

const lowest = ['minimum', 'minLength', 'minItems'];
const highest = ['maximum', 'maxLength', 'maxItems'];
const exact = ['pattern', 'format', 'multipleOf'];

/** Whether the new input rules reject a value that the old ones accept. */
const isNarrower = (old: Schema, now: Schema): boolean =>
  lowest.some((rule) => Number(now[rule] ?? -Infinity) > Number(old[rule] ?? -Infinity)) ||
  highest.some((rule) => Number(now[rule] ?? Infinity) < Number(old[rule] ?? Infinity)) ||
  exact.some((rule) => now[rule] !== undefined && now[rule] !== old[rule]);

const listValues = (schema: Schema): readonly unknown[] | undefined =>
  'const' in schema ? [schema.const] : schema.enum;

const listVariants = (schema: Schema): Schema[] => {
  const forms = schema.anyOf ?? schema.oneOf;
  if (forms) return forms.flatMap(listVariants);
  return Array.isArray(schema.type) ? schema.type.map((type) => ({ ...schema, type })) : [schema];
};

const objectChanges = ([old, now]: Pair<Schema>, direction: Direction, at: string): string[] => {
  const [wide, narrow] = direction === 'input' ? [now, old] : [old, now];
  const loose = (wide.required ?? []).filter((field) => !narrow.required?.includes(field));
  const verb = direction === 'input' ? 'is required' : 'may be absent';
  return [
    ...loose
      .filter((field) => direction === 'input' || now.properties?.[field])
      .map((field) => `${at}.${field} ${verb}`),
    ...Object.entries(old.properties ?? {}).flatMap(([field, schema]) => {
      const match = now.properties?.[field];
      return match ? schemaChanges([schema, match], direction, `${at}.${field}`) : [`${at}.${field} is gone`];
    }),
  ];
};

const variantChanges = ([old, now]: Pair<Schema>, direction: Direction, at: string): string[] => {
  const isWidened = direction === 'input' && old.type === 'integer' && now.type === 'number';
  if (old.type !== now.type && !isWidened) return [`${at} is ${now.type}, not ${old.type}`];
  if (direction === 'input' && isNarrower(old, now)) return [`${at} takes less`];
  const [were, are] = [listValues(old), listValues(now)];
  const isRefused = (value: unknown) => are !== undefined && !are.includes(value);
  if (direction === 'input' && (were?.some(isRefused) ?? are !== undefined))
    return [`${at} takes fewer values`];
  if (direction === 'output' && were !== undefined && are === undefined) return [`${at} may have any value`];
  if (old.items && now.items) return schemaChanges([old.items, now.items], direction, `${at}[]`);
  return objectChanges([old, now], direction, at);
};

function schemaChanges([old, now]: Pair<Schema>, direction: Direction, at: string): string[] {
  const [olds, nows] = [listVariants(old), listVariants(now)];
  const [narrow, wide] = direction === 'input' ? [olds, nows] : [nows, olds];
  return narrow.flatMap((one) => {
    const tries = wide.map((other) =>
      variantChanges(direction === 'input' ? [one, other] : [other, one], direction, at),
    );
    return tries.toSorted((a, b) => a.length - b.length)[0] ?? [`${at} has no shape`];
  });
}

const contentChanges = ([old, now]: Pair<Content | undefined>, direction: Direction, at: string): string[] =>
  Object.entries(old ?? {}).flatMap(([type, { schema }]) => {
    const match = now?.[type];
    if (!match) return [`${at} ${type} is gone`];
    return schema && match.schema ? schemaChanges([schema, match.schema], direction, at) : [];
  });

const parameterChanges = ([old, now]: Pair<Operation>, at: string): string[] => {
  const find = ({ parameters = [] }: Operation, parameter: Parameter) =>
    parameters.find((one) => one.name === parameter.name && one.in === parameter.in);
  return [
    ...(old.parameters ?? []).flatMap((one) => {
      const match = find(now, one);
      if (!match) return [`${at} ${one.name} is gone`];
      const more = match.required && !one.required ? [`${at} ${one.name} is required`] : [];
      return [...more, ...schemaChanges([one.schema, match.schema], 'input', `${at} ${one.name}`)];
    }),
    ...(now.parameters ?? [])
      .filter((one) => one.required && !find(old, one))
      .map((one) => `${at} ${one.name} is required`),
  ];
};

const responseChanges = ([old, now]: Pair<Operation>, at: string): string[] =>
  Object.entries(old.responses).flatMap(([status, response]) => {
    const match = now.responses[status];
    if (Number(status) >= FIRST_ERROR) return [];
    if (!match) return [`${at} ${status} is gone`];
    const headers = Object.keys(response.headers ?? {}).filter(
      (name) => !Object.hasOwn(match.headers ?? {}, name),
    );
    return [
      ...headers.map((name) => `${at} ${status} ${name} is gone`),
      ...contentChanges([response.content, match.content], 'output', `${at} ${status}`),
    ];
  });

const operationChanges = ([old, now]: Pair<Operation>, body: Direction, at: string): string[] => {
  const ways = (now.security ?? []).map((way) => JSON.stringify(way));
  const isClosed = (old.security ?? []).some((way) => !ways.includes(JSON.stringify(way)));
  const needsBody = now.requestBody?.required && !old.requestBody?.required;
  return [
    ...(isClosed || (old.security?.length === 0 && ways.length > 0) ? [`${at} takes fewer credentials`] : []),
    ...(needsBody ? [`${at} needs a body`] : []),
    ...parameterChanges([old, now], at),
    ...contentChanges([old.requestBody?.content, now.requestBody?.content], body, `${at} body`),
    ...(body === 'input' ? responseChanges([old, now], at) : []),
  ];
};

const itemChanges = (old: ApiDocument['paths'], now: ApiDocument['paths'], body: Direction): string[] =>
  Object.entries(old).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => {
      const at = `${method.toUpperCase()} ${path}`;
      const match = now[path]?.[method];
      return match ? operationChanges([operation, match], body, at) : [`${at} is gone`];
    }),
  );

const REFERENCE = /^#\/components\/(schemas|parameters)\/(.+)$/;

/** The document with each reference replaced by its schema or parameter; no schema is recursive. */
const withoutReferences = (document: ApiDocument): ApiDocument => {
  const copies = new Map<unknown, unknown>();
  const visit = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const [, kind, name = ''] = REFERENCE.exec(String((value as Schema).$ref)) ?? [];
    if (kind === 'schemas' || kind === 'parameters') return visit(document.components[kind]?.[name]);
    if (!copies.has(value)) {
      const entries = Object.entries(value).map(([key, part]) => [key, visit(part)] as const);
      copies.set(value, Array.isArray(value) ? entries.map(([, part]) => part) : Object.fromEntries(entries));
    }
    return copies.get(value);
  };
  return visit(document) as ApiDocument;
};

/** The breaking changes between two documents for a client of the first one, a line each. */
export const breakingChanges = (before: ApiDocument, after: ApiDocument): string[] => {
  const [old, now] = [withoutReferences(before), withoutReferences(after)];
  return [
    ...itemChanges(old.paths, now.paths, 'input'),
    ...itemChanges(old.webhooks ?? {}, now.webhooks ?? {}, 'output'),
  ];
};

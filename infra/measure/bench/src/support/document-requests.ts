import { readFileSync } from 'node:fs';
import path from 'node:path';
import { goodRequests } from '@tds/http-api/testing';
import { workspaceRoot } from '@tds/servers';

type Schema = {
  readonly $ref?: string;
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly maxLength?: number;
};
type Operation = {
  readonly operationId: keyof typeof goodRequests;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
};
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

/** Values for the ids in paths, and a video. */
export type Ids = Readonly<
  Record<'id' | 'keyId' | 'sessionId' | 'deliveryId' | 'requestId' | 'videoId', string>
>;

export type DocumentRequest = {
  /** The operation and its variant. */
  readonly name: string;
  readonly method: string;
  readonly target: string;
  readonly body: string | null;
};

/** A stream, which does not end by itself. */
const STREAM = 'streamJob';
const ORDINARY_BODY = 65_536;
/** The most bytes that JSON writes for one character. */
const ESCAPED = 4;
/** A head may have 16 KiB. */
const MAX_PARAMETERS = 1_500;

export const readDocument = (): Document =>
  JSON.parse(readFileSync(path.join(workspaceRoot, 'docs/generated/openapi.json'), 'utf8')) as Document;

const repeatToLength = (length: number, unit: (at: number) => string): string => {
  const parts: string[] = [];
  for (let [size, at] = [0, 0]; size < length; size += parts[at - 1]?.length ?? 1, at += 1)
    parts.push(unit(at));
  return parts.join('').slice(0, length);
};

/** Texts of the greatest length that are the most expensive to read. */
const texts: Readonly<Record<string, (length: number) => string>> = {
  links: (length) => repeatToLength(length, (at) => `https://www.youtube.com/feed/${at} `),
  ids: (length) => repeatToLength(length, (at) => `a1bC${String(at).padStart(6, '0')}\n`),
  lines: (length) => '\n'.repeat(length),
  quotes: (length) => '"'.repeat(length),
};

/** Bodies of the greatest size that are not valid requests. */
const broken: Readonly<Record<string, (bytes: number) => string>> = {
  nested: (bytes) => `{"a":${'['.repeat(bytes / 2 - ESCAPED)}${']'.repeat(bytes / 2 - ESCAPED)}}`,
  names: (bytes) => `{${repeatToLength(bytes - ORDINARY_BODY / ESCAPED, (at) => `"name${at}":1,`)}"z":1}`,
  blanks: (bytes) => ' '.repeat(bytes),
};

/** The fields of a body, with those of all its forms. */
const listProperties = (schema: Schema, components: Document['components']): [string, Schema][] => {
  const { properties, oneOf = [] } = components.schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema;
  return properties ? Object.entries(properties) : oneOf.flatMap((form) => listProperties(form, components));
};

const buildBodies = (
  { requestBody }: Operation,
  components: Document['components'],
): [name: string, body: string][] => {
  const schema = requestBody?.content['application/json']?.schema;
  if (schema === undefined) return [];
  const [field, maxChars] = listProperties(schema, components)
    .map(([name, { maxLength = 0 }]) => [name, maxLength] as const)
    .reduce((one, other) => (other[1] > one[1] ? other : one), ['', 0] as const);
  const bytes = Math.max(ORDINARY_BODY, maxChars > ORDINARY_BODY ? ESCAPED * maxChars : 0);
  return [
    ...Object.entries(broken).map(([name, make]): [string, string] => [name, make(bytes)]),
    ...Object.entries(maxChars > ORDINARY_BODY ? texts : {}).map(([name, make]): [string, string] => [
      name,
      JSON.stringify({ [field]: make(maxChars) }),
    ]),
  ];
};

const isForKeys = ({ security = [] }: Operation): boolean =>
  security.length === 0 || security.some((way) => 'apiKey' in way || Object.keys(way).length === 0);

const buildRequests = (
  { components }: Document,
  [template, method]: readonly [string, string],
  operation: Operation,
  ids: Ids,
): DocumentRequest[] => {
  const { operationId } = operation;
  const { search = '', body } = goodRequests[operationId]({
    email: 'bench@example.com',
    videoId: ids.videoId,
  });
  const at = template.replace(/\{(\w+)\}/g, (_, name: keyof Ids) => ids[name]);
  const buildRequest = (name: string, target: string, payload: string | null): DocumentRequest => ({
    name: `${operationId}, ${name}`,
    method: method.toUpperCase(),
    target,
    body: payload,
  });
  const validBody = body === undefined ? null : JSON.stringify(body);
  return [
    buildRequest('as it should be', at + search, validBody),
    buildRequest(
      'many parameters',
      `${at}?${repeatToLength(MAX_PARAMETERS * ESCAPED, (n) => `p${n}=1&`)}`,
      validBody,
    ),
    ...buildBodies(operation, components).map(([name, sent]) => buildRequest(name, at, sent)),
  ];
};

/** Every operation that a key may use: one good request, and requests at the bounds of what the operation reads. */
export const documentRequests = (document: Document, ids: Ids): DocumentRequest[] =>
  Object.entries(document.paths).flatMap(([template, item]) =>
    Object.entries(item)
      .filter(([, operation]) => isForKeys(operation) && operation.operationId !== STREAM)
      .flatMap(([method, operation]) => buildRequests(document, [template, method], operation, ids)),
  );

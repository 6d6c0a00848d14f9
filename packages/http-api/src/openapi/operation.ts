import { STATUS_CODES } from 'node:http';
import { IDEMPOTENCY_KEY_HEADER, idempotencyKey } from '@tds/contracts';
import { type ErrorCode, statusesOf } from '@tds/errors';
import { z } from 'zod';
import type { Fields, Route, RouteResponse } from '../define-route.ts';
import { errorEnvelope } from '../envelope.ts';
import { routeErrors } from '../route-errors.ts';
import { isOptional, requestBody } from './bodies.ts';
import { errorExample, recordedExamples } from './examples.ts';
import { responseHeaders } from './headers.ts';
import { type Json, readName, type Schemas } from './schemas.ts';

/** A session that changes something says so in a header that no other site can send. */
const security = ({ access, method }: Route): Json[] => {
  const session = method === 'GET' ? { session: [] } : { session: [], dashboard: [] };
  if (access === 'public') return [];
  if (access === 'key') return [{ apiKey: [] }];
  if (access === 'anyone') return [{}, { apiKey: [] }, session];
  return access === 'session' ? [session] : [{ apiKey: [] }, session];
};

const fieldParameters = (place: 'path' | 'query', fields: Fields, schemas: Schemas): Json[] =>
  Object.entries(fields).map(([name, { schema, description }]) => ({
    name,
    in: place,
    description,
    required: place === 'path' || !isOptional(schema),
    schema: schemas.input(schema),
  }));

const cookieParameters = ({ cookies = {} }: Route): Json[] =>
  Object.entries(cookies).map(([name, description]) => ({
    name,
    in: 'cookie',
    description,
    required: false,
    schema: { type: 'string' },
  }));

const idempotencyText = (lasting: string): string =>
  `Makes retries safe: a repeat with the same value gets the first answer and does nothing more, ${lasting}. Use a new random value, such as a UUID, for each operation.`;

const headerParameter = (name: string, required: boolean, description: string, schema: Json): Json => {
  return { name, in: 'header', required, description, schema };
};

const headerParameters = ({ takesIdempotencyKey: lasting, signedBy }: Route, schemas: Schemas): Json[] => {
  const text = lasting && idempotencyText(lasting);
  return [
    ...(text ? [headerParameter(IDEMPOTENCY_KEY_HEADER, false, text, schemas.input(idempotencyKey))] : []),
    ...(signedBy ? [headerParameter(signedBy, true, 'The signature of the body', { type: 'string' })] : []),
  ];
};

/** The signer defines the body. */
const signedBody: Json = { required: true, content: { 'application/json': { schema: { type: 'object' } } } };

/** The schema of a file. Of a stream of events it describes the data of each one as the content of a text. */
const fileSchema = (type: string, event: z.ZodType | undefined, schemas: Schemas): Json => {
  if (type === 'application/zip') return { type: 'string', format: 'binary' };
  if (event === undefined) return { type: 'string' };
  const { properties } = schemas.output(z.object({ data: event })) as { properties: { data: Json } };
  return { type: 'string', contentMediaType: 'application/json', contentSchema: properties.data };
};

/** The names of the shapes that a schema consists of. */
const listShapes = (schema: Json, schemas: Schemas): string[] => {
  const name = readName(schema);
  const { oneOf = schema.anyOf } = (schemas.components[name] ?? {}) as Json;
  return Array.isArray(oneOf) ? oneOf.flatMap((one: Json) => listShapes(one, schemas)) : [name];
};

const exampleRef = (name: string, value: unknown, schemas: Schemas): Json => {
  schemas.examples[name] = { value };
  return { [name]: { $ref: `#/components/examples/${name}` } };
};

export const jsonContent = (schema: Json, schemas: Schemas): Json => {
  const examples = listShapes(schema, schemas)
    .filter((name) => recordedExamples[name] !== undefined)
    .map((name) => exampleRef(name, recordedExamples[name], schemas));
  return examples.length === 0 ? { schema } : { schema, examples: Object.assign({}, ...examples) };
};

const success = (row: Route, status: number, response: RouteResponse, schemas: Schemas): Json => {
  const { description, schema, files = [], headers = [] } = response;
  const content: Json = {};
  if (schema) content['application/json'] = jsonContent(schemas.output(schema), schemas);
  for (const type of files) content[type] = { schema: fileSchema(type, response.event, schemas) };
  return {
    description,
    headers: responseHeaders(row, status, headers),
    ...(Object.keys(content).length > 0 ? { content } : {}),
  };
};

const audiences = {
  public: 'Public',
  session: 'Session',
  key: '',
  anyone: '',
  'key-or-session': '',
} as const satisfies Record<Route['access'], string>;

const errorExamples = (status: number, schemas: Schemas): Json => {
  const { name, value } = errorExample(status);
  return exampleRef(name, value, schemas);
};

/** An error that a route also has in a form of its own: that of its protocol, or a page for people. */
const ownFailure = (row: Route, status: number, codes: readonly ErrorCode[], schemas: Schemas): Json | null => {
  const own = row.responses[status];
  if (own === undefined) return null;
  const envelope = schemas.output(errorEnvelope);
  const schema = own.schema === undefined ? envelope : { anyOf: [envelope, schemas.output(own.schema)] };
  const files = (own.files ?? []).map((type) => [type, { schema: fileSchema(type, undefined, schemas) }]);
  return {
    description: codes.join(', '),
    headers: responseHeaders(row, status, own.headers ?? []),
    content: {
      'application/json': { schema, examples: errorExamples(status, schemas) },
      ...Object.fromEntries(files),
    },
  };
};

/** Errors of a status are one answer of the document; which codes a route has of them, its own description of the answer says. */
const failure = (row: Route, status: number, codes: readonly ErrorCode[], schemas: Schemas): Json => {
  const name = `Error${status}${audiences[row.access]}`;
  schemas.responses[name] ??= {
    description: STATUS_CODES[status],
    headers: responseHeaders(row, status, []),
    content: {
      'application/json': {
        schema: schemas.output(errorEnvelope),
        examples: errorExamples(status, schemas),
      },
    },
  };
  return { $ref: `#/components/responses/${name}`, description: codes.join(', ') };
};

const failures = (row: Route, schemas: Schemas): Json => {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of routeErrors(row)) {
    for (const status of statusesOf(code)) byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      ownFailure(row, status, codes, schemas) ?? failure(row, status, codes, schemas),
    ]),
  );
};

export const operation = (row: Route, schemas: Schemas): Json => ({
  operationId: row.id,
  tags: [row.tag],
  summary: row.summary,
  description: row.description ?? `${row.summary}.`,
  security: security(row),
  parameters: [
    ...fieldParameters('path', row.params, schemas),
    ...fieldParameters('query', row.query, schemas),
    ...headerParameters(row, schemas),
    ...cookieParameters(row),
  ],
  ...(row.body ? { requestBody: requestBody(row, row.body, schemas) } : {}),
  ...(row.signedBy ? { requestBody: signedBody } : {}),
  responses: {
    ...Object.fromEntries(
      Object.entries(row.responses).map(([status, response]) => [
        status,
        success(row, Number(status), response, schemas),
      ]),
    ),
    ...failures(row, schemas),
  },
});

import { z } from 'zod';
import { type ErrorCode, statusesOf } from '../errors/error-codes.ts';
import { type Access, type Fields, keyStatesOf, type Route, type RouteResponse } from './define-route.ts';
import { errorEnvelope } from './envelope.ts';

const API_VERSION = '1.0.0';

type Json = { [key: string]: unknown };

const jsonSchema = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
  return rest;
};

const isOptional = (schema: z.ZodType): boolean => schema.safeParse(undefined).success;

const security: Record<Access, Json[]> = {
  public: [],
  key: [{ apiKey: [] }],
  session: [{ session: [] }],
  'key-or-session': [{ apiKey: [] }, { session: [] }],
};

const accessErrors: Record<Access, readonly ErrorCode[]> = {
  public: [],
  key: ['missing_api_key', 'invalid_api_key', 'cookie_not_accepted', 'account_closed', 'rate_limit'],
  session: ['session_required', 'dashboard_header_required'],
  'key-or-session': [
    'missing_api_key',
    'invalid_api_key',
    'session_required',
    'dashboard_header_required',
    'account_closed',
    'rate_limit',
  ],
};
const everywhere: readonly ErrorCode[] = [
  'unknown_parameter',
  'key_in_query_string',
  'malformed_request',
  'unexpected_error',
  'service_unavailable',
];
const withBody: readonly ErrorCode[] = ['invalid_json', 'unsupported_media_type', 'body_too_large'];

const parameters = (fields: Fields): Json[] =>
  Object.entries(fields).map(([name, { schema, description }]) => ({
    name,
    in: 'query',
    description,
    required: !isOptional(schema),
    schema: jsonSchema(schema, 'input'),
  }));

const pathParameters = (path: string): Json[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));

const requestBody = (fields: Fields): Json => ({
  required: Object.values(fields).some(({ schema }) => !isOptional(schema)),
  content: {
    'application/json': {
      schema: {
        type: 'object',
        properties: Object.fromEntries(
          Object.entries(fields).map(([name, { schema, description }]) => [
            name,
            { description, ...jsonSchema(schema, 'input') },
          ]),
        ),
        required: Object.keys(fields).filter((name) => !isOptional((fields[name] as Fields[string]).schema)),
      },
    },
  },
});

const success = ({ description, schema, files = [] }: RouteResponse): Json => {
  const content: Json = {};
  if (schema) content['application/json'] = { schema: jsonSchema(schema, 'output') };
  for (const type of files) content[type] = { schema: { type: 'string' } };
  return { description, ...(Object.keys(content).length > 0 ? { content } : {}) };
};

const failures = (codes: readonly ErrorCode[]): Json => {
  const answers = codes.flatMap((code) => statusesOf(code).map((status) => ({ status, code })));
  const byStatus = Object.groupBy(answers, ({ status }) => String(status));
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, group = []]) => [
      status,
      {
        description: [...new Set(group.map(({ code }) => code))].join(', '),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );
};

const takesKeys = ({ access }: Route): boolean => access === 'key' || access === 'key-or-session';

const keyStateErrors = (row: Route): readonly ErrorCode[] =>
  takesKeys(row) && !keyStatesOf(row).includes('ending') ? ['key_is_ending'] : [];

/** Every code that a route can answer with. */
export const routeErrors = (row: Route): readonly ErrorCode[] => [
  ...new Set([
    ...row.errors,
    ...accessErrors[row.access],
    ...keyStateErrors(row),
    ...(row.body ? withBody : []),
    ...everywhere,
  ]),
];

const operation = (row: Route): Json => ({
  operationId: row.id,
  summary: row.summary,
  ...(row.description ? { description: row.description } : {}),
  security: security[row.access],
  parameters: [...pathParameters(row.path), ...parameters(row.query)],
  ...(row.body ? { requestBody: requestBody(row.body) } : {}),
  responses: {
    ...Object.fromEntries(
      Object.entries(row.responses).map(([status, response]) => [status, success(response)]),
    ),
    ...failures(routeErrors(row)),
  },
});

const pathItems = (table: readonly Route[]): Json => {
  const paths: Record<string, Json> = {};
  for (const row of table)
    paths[row.path] = { ...paths[row.path], [row.method.toLowerCase()]: operation(row) };
  return paths;
};

/** The OpenAPI 3.1 document of a route table. */
export const openApiDocument = (table: readonly Route[], publicUrl: string): Json => ({
  openapi: '3.1.0',
  info: {
    title: 'Transcript Delivery Service',
    version: API_VERSION,
    description:
      'Transcripts of videos, cache-first. A cache hit costs 0 credits, a delivery 1, a failure 0.',
  },
  servers: [{ url: publicUrl }],
  paths: pathItems(table),
  components: {
    securitySchemes: {
      apiKey: { type: 'http', scheme: 'bearer', description: 'svc_live_...' },
      session: { type: 'apiKey', in: 'cookie', name: 'svc_dashboard' },
    },
    schemas: { Error: jsonSchema(errorEnvelope, 'output') },
  },
});

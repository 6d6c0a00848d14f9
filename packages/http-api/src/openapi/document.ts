import { type WebhookKind, webhookBody, webhookHeaderTexts, webhookKind, webhookKinds } from '@tds/contracts';
import { answerHeaders } from '../answer-headers.ts';
import { type Route, routeTags } from '../define-route.ts';
import { API_VERSION } from './changes.ts';
import { jsonContent, operation } from './operation.ts';
import { createSchemas, type Json, type Schemas } from './schemas.ts';

/** Every event has them. */
const headerParameters = (): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(webhookHeaderTexts).map(([name, description]) => [
      name,
      { name, in: 'header', description, required: true, schema: { type: 'string' } },
    ]),
  );

const responses = {
  '2XX': { description: 'The event was accepted. The body of the answer, at most 64 KiB, is ignored' },
  default: {
    description:
      'The event was not accepted: four more attempts follow within fifteen hours. Redirects are not followed',
  },
};

/** `job.completed` becomes `JobCompletedEvent`. */
const eventName = (kind: WebhookKind): string =>
  `${kind.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`;

/** What customers' servers are sent, kind by kind. */
const webhookItems = (schemas: Schemas): Json =>
  Object.fromEntries(
    webhookKind.options.map((kind) => [
      kind,
      {
        post: {
          operationId: `on:${kind}`,
          tags: ['Webhooks'],
          summary: `The event ${kind}`,
          description: webhookKinds[kind].when,
          security: [],
          parameters: Object.keys(webhookHeaderTexts).map((name) => ({
            $ref: `#/components/parameters/${name}`,
          })),
          requestBody: {
            required: true,
            content: {
              'application/json': jsonContent(
                schemas.output(webhookBody(kind).meta({ id: eventName(kind) })),
                schemas,
              ),
            },
          },
          responses,
        },
      },
    ]),
  );

const info = {
  title: 'Transcript Delivery Service',
  version: API_VERSION,
  description: [
    'Transcripts of videos, cache-first. A cache hit costs 0 credits, a delivery 1, a failure 0.',
    'HEAD answers like GET, but without a body and without starting work. OPTIONS answers 204 with Allow.',
    'Answers may gain fields and headers. Parameters and body fields that are not documented are rejected.',
    'Changes of this API are listed at /v1/changes, and as a feed at /v1/changes.atom.',
  ].join('\n\n'),
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
};

const securitySchemes = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: svc_live_...' },
  session: { type: 'apiKey', in: 'cookie', name: 'svc_dashboard', description: 'A dashboard session' },
  dashboard: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Service-Dashboard',
    description: 'Always 1. Required with a session for every method except GET.',
  },
};

const pathItems = (table: readonly Route[], schemas: Schemas): Json => {
  const paths: Record<string, Json> = {};
  for (const row of table)
    paths[row.path] = { ...paths[row.path], [row.method.toLowerCase()]: operation(row, schemas) };
  return paths;
};

/** The OpenAPI 3.1 document of a route table, with the support address if there is one. */
export const openApiDocument = (table: readonly Route[], publicUrl: string, supportEmail?: string): Json => {
  const schemas = createSchemas();
  const paths = pathItems(table, schemas);
  const usedTags = new Set(table.map(({ tag }) => tag));
  return {
    openapi: '3.1.0',
    info: { ...info, contact: { name: 'Support', url: `${publicUrl}/docs`, email: supportEmail } },
    servers: [{ url: publicUrl }],
    externalDocs: { description: 'Changes of this API', url: `${publicUrl}/docs/changes` },
    tags: Object.entries(routeTags)
      .filter(([name]) => usedTags.has(name as Route['tag']))
      .map(([name, description]) => ({ name, description })),
    paths,
    webhooks: webhookItems(schemas),
    components: {
      securitySchemes,
      examples: Object.fromEntries(Object.entries(schemas.examples).sort()),
      headers: answerHeaders,
      parameters: headerParameters(),
      responses: Object.fromEntries(Object.entries(schemas.responses).sort()),
      schemas: Object.fromEntries(Object.entries(schemas.components).sort()),
    },
  };
};

import { describe, expect, it } from '@jest/globals';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { errorCodes } from '@tds/errors';
import type { Route } from '../define-route.ts';
import { routeErrors } from '../route-errors.ts';
import { routeTable } from '../routes/index.ts';
import { openApiDocument } from './document.ts';

type Schema = {
  additionalProperties?: boolean;
  oneOf?: object[];
  anyOf?: object[];
  required?: string[];
  properties?: object;
  discriminator?: { mapping: object };
};
type Operation = {
  operationId: string;
  security: object[];
  parameters: { name: string; in: string; required: boolean; schema: object; description: string }[];
  requestBody?: { required: boolean; content: Record<string, { schema: { $ref: string } }> };
  responses: Record<
    string,
    { description: string; content?: Record<string, { schema?: Schema; examples?: object }> }
  >;
};
type Webhooks = { webhooks: Record<string, { post: { requestBody: Operation['responses'][string] } }> };
const document = openApiDocument(routeTable, 'https://api.example') as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};
const operationOf = (path: string, method: string): Operation =>
  document.paths[path]?.[method.toLowerCase()] as Operation;

describe('the OpenAPI document', () => {
  it.each(routeTable.map((row) => [row.id, row] as const))('describes %s as the table has it', (id, row) => {
    const operation = operationOf(row.path, row.method);
    expect(operation.operationId).toBe(id);
    expect(operation.parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name)).toEqual(
      Object.keys(row.query),
    );
    expect(operation.parameters.filter(({ in: place }) => place === 'cookie').map(({ name }) => name)).toEqual(
      Object.keys(row.cookies ?? {}),
    );
    expect([...row.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)).toEqual(Object.keys(row.params));
    for (const [name, { description }] of Object.entries(row.params)) {
      expect(operation.parameters).toContainEqual(
        expect.objectContaining({ name, in: 'path', required: true, description }),
      );
    }
    expect(operation.security.length > 0).toBe(row.access !== 'public');
  });

  it.each(routeTable.map((row) => [row.id, row] as const))(
    'names every error of %s at its status',
    (_id, row) => {
      const { responses } = operationOf(row.path, row.method);
      for (const code of routeErrors(row)) {
        expect(responses[errorCodes[code].status]?.description.split(', ')).toContain(code);
      }
    },
  );

  it('has each error answer once, and of every route the codes that it may have', () => {
    const { responses } = document.components as unknown as { responses: Record<string, object> };
    const used = Object.values(document.paths).flatMap((item) =>
      Object.values(item).flatMap((operation) =>
        Object.entries(operation.responses).filter(([status]) => Number(status) >= 400),
      ),
    );
    const [shared, own] = [true, false].map((isShared) =>
      used.filter(([, answer]) => '$ref' in (answer as object) === isShared),
    ) as [typeof used, typeof used];
    const anyOf = ['Error', 'McpAnswer'].map((name) => ({ $ref: `#/components/schemas/${name}` }));
    // One is the protocol's, one also a page for people.
    expect(own.toSorted()).toMatchObject([
      ['400', { content: { 'application/json': { schema: { anyOf } } } }],
      ['404', { content: { 'application/json': { schema: anyOf[0] }, 'text/html': {} } }],
    ]);
    for (const [status, answer] of shared)
      expect(answer).toEqual({
        $ref: expect.stringMatching(new RegExp(`^#/components/responses/Error${status}(?:Public|Session)?$`)),
        description: expect.stringMatching(/^[a-z_0-9]+(?:, [a-z_0-9]+)*$/),
      });
    expect(Object.keys(responses).length).toBeLessThan(60);
    expect(JSON.stringify(document).length).toBeLessThan(520_000);
  });

  it('describes every operation and webhook, and names the support contact', () => {
    const whole = document as unknown as {
      info: { contact: object };
      webhooks: Record<string, Record<string, { description: string }>>;
    };
    const all = [...Object.values(document.paths), ...Object.values(whole.webhooks)].flatMap((item) =>
      Object.values(item as Record<string, { description?: string }>),
    );
    for (const { description } of all) expect(description).toEqual(expect.stringMatching(/\S/));
    expect(whole.info.contact).toMatchObject({ url: 'https://api.example/docs' });
  });

  it('has the Idempotency-Key as an optional header, and a signature as a required one, exactly if the row takes it', () => {
    for (const row of routeTable as readonly Route[]) {
      const { parameters, responses } = operationOf(row.path, row.method);
      const headers = parameters.filter(({ in: place }) => place === 'header');
      expect(headers.map(({ name, required }) => [name, required])).toEqual([
        ...(row.takesIdempotencyKey ? [['Idempotency-Key', false]] : []),
        ...(row.signedBy ? [[row.signedBy, true]] : []),
      ]);
      expect(JSON.stringify(responses).includes('Idempotency-Replayed')).toBe(
        row.takesIdempotencyKey !== undefined,
      );
      if (row.takesIdempotencyKey)
        expect(headers[0]?.description).toContain(`does nothing more, ${row.takesIdempotencyKey}. `);
      expect(row.description ?? '').not.toMatch(/Idempotency-Key[^.]*for (?:ever|a|\d)/);
    }
    expect(operationOf('/v1/keys', 'POST').parameters).toContainEqual(
      expect.objectContaining({ schema: expect.objectContaining({ minLength: 1, maxLength: 128 }) }),
    );
  });

  it('requires a body only if a field of it is required', () => {
    expect(operationOf('/v1/auth/code', 'POST').requestBody?.required).toBe(true);
    expect(operationOf('/v1/auth/logout', 'POST').requestBody).toBeUndefined();
  });
});

describe('what readers and generated clients rely on', () => {
  it('a session that changes something sends the dashboard header along, and reading needs none', () => {
    expect(operationOf('/v1/auth/logout', 'POST').security).toEqual([{ session: [], dashboard: [] }]);
    expect(operationOf('/v1/keys', 'POST').security).toEqual([{ apiKey: [] }, { session: [], dashboard: [] }]);
    expect(operationOf('/v1/keys', 'GET').security).toEqual([{ apiKey: [] }, { session: [] }]);
  });

  it('booleans are booleans, and defaults are described', () => {
    const ofQuery = Object.fromEntries(
      operationOf('/v1/transcript', 'GET').parameters.map(({ name, schema }) => [name, schema]),
    );
    expect(ofQuery.fallback).toEqual({ type: 'boolean', default: true });
    expect(ofQuery.raw).toEqual({ type: 'boolean', default: false });
    expect(ofQuery.format).toMatchObject({ default: 'both' });
    expect(ofQuery.language).toMatchObject({ default: 'en' });
  });

  it('answers may gain fields', () => {
    expect(
      JSON.stringify(
        Object.values(document.paths).map((item) => Object.values(item).map(({ responses }) => responses)),
      ),
    ).not.toContain('additionalProperties');
    const closed = Object.entries(document.components.schemas).filter(
      ([, { additionalProperties }]) => additionalProperties === false,
    );
    for (const [name] of closed) expect(name).toMatch(/Request$/);
  });

  it('bodies may not', () => {
    const bodies = Object.entries(document.components.schemas).filter(([name]) => name.endsWith('Request'));
    expect(bodies.length).toBeGreaterThan(10);
    for (const [name, { additionalProperties, oneOf }] of bodies)
      expect([name, oneOf ? false : additionalProperties]).toEqual([name, false]);
  });

  it('a path names an id as it is', () => {
    const schemaOf = (path: string) => operationOf(path, 'GET').parameters[0]?.schema;
    expect(schemaOf('/v1/jobs/{id}')).toEqual({ type: 'string', format: 'uuid' });
    expect(schemaOf('/v1/monitors/{id}')).toEqual({ type: 'string', pattern: '^[0-9a-z]{32}$' });
    expect(operationOf('/v1/jobs/{id}/files/{videoId}', 'GET').parameters[1]?.schema).toEqual({
      type: 'string',
      pattern: '^[A-Za-z0-9_-]{11}$',
    });
  });

  it('a transcript is one of two shapes, by its format', () => {
    const { Transcript, TextTranscript } = document.components.schemas;
    expect(Transcript?.discriminator?.mapping).toEqual({
      json: '#/components/schemas/JsonTranscript',
      ...Object.fromEntries(
        ['clean', 'timestamped', 'both', 'srt', 'vtt', 'md'].map((format) => [
          format,
          '#/components/schemas/TextTranscript',
        ]),
      ),
    });
    expect(TextTranscript?.required).toContain('text');
  });

  it('a body of several forms has exactly the fields of one of them', () => {
    const forms = operationOf('/v1/jobs', 'POST').requestBody?.content['application/json']?.schema;
    expect(forms).toEqual({ $ref: '#/components/schemas/CreateJobRequest' });
    const { CreateJobRequest, SourceJobRequest, VideosJobRequest } = document.components.schemas;
    expect(CreateJobRequest?.oneOf).toHaveLength(2);
    expect(SourceJobRequest).toMatchObject({ required: ['input'] });
    expect(VideosJobRequest).toMatchObject({ required: ['video_ids'] });
    const [ofSource, ofVideos] = [SourceJobRequest, VideosJobRequest].map((one) =>
      Object.keys(one?.properties ?? {}),
    );
    expect(ofSource).toEqual(expect.arrayContaining(['input', 'newest', 'format']));
    expect(ofVideos).toEqual(expect.arrayContaining(['video_ids', 'format']));
    expect(ofVideos?.filter((name) => ['input', 'newest', 'contents'].includes(name))).toEqual([]);
  });

  it('each answer of JSON and each event has an example', () => {
    const { examples, responses } = document.components as unknown as {
      examples: Record<string, { value: object }>;
      responses: Record<string, Operation['responses'][string]>;
    };
    const answers = [
      ...Object.values(document.paths).flatMap((item) =>
        Object.values(item).flatMap((operation) => Object.values(operation.responses)),
      ),
      ...Object.values(responses),
      ...Object.values((document as unknown as Webhooks).webhooks).map(({ post }) => post.requestBody),
    ];
    const without = answers
      .flatMap(({ content }) => content?.['application/json'] ?? [])
      .filter((json) => Object.keys(json.examples ?? {}).length === 0)
      .map(({ schema }) => (schema as { $ref?: string }).$ref?.split('/').at(-1));
    expect(without).toEqual([]);
    expect(Object.keys(examples)).toEqual(
      expect.arrayContaining(['JsonTranscript', 'TextTranscript', 'LedgerPage']),
    );
    for (const [name, { content }] of Object.entries(responses)) {
      const [code = ''] = Object.keys(content?.['application/json']?.examples ?? {});
      expect(errorCodes[code as keyof typeof errorCodes].status).toBe(Number(name.match(/\d+/)?.[0]));
    }
  });

  it('an answer of JSON has a name', () => {
    for (const item of Object.values(document.paths))
      for (const { responses } of Object.values(item))
        for (const { content } of Object.values(responses)) {
          const schema = content?.['application/json']?.schema;
          for (const one of schema ? (schema.anyOf ?? [schema]) : [])
            expect(one).toEqual({ $ref: expect.stringMatching(/^#\/components\/schemas\/[A-Z]/) });
        }
  });

  it('passes a public linter', async () => {
    const problems = await lintFromString({
      source: JSON.stringify(document),
      config: await createConfig({ extends: ['recommended-strict'], rules: { 'tag-description': 'error' } }),
    });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
      [],
    );
  });
});

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { routeTable } from '../routes/index.ts';
import { type ApiDocument, breakingChanges } from '../testing/breaking-changes.ts';
import { openApiDocument } from './document.ts';

/** The document of the last release, without texts; a release writes it with TDS_TEST_WRITE_RELEASED=1. */
const RELEASED = path.join(import.meta.dirname, '../testing/released-openapi.json');
const current = openApiDocument(routeTable, 'https://api.example') as ApiDocument;

/** A field of an answer may be called description, too: its value is a schema. */
const withoutTexts = (key: string, value: unknown): unknown =>
  key === 'examples' || (['description', 'summary'].includes(key) && typeof value === 'string')
    ? undefined
    : value;

/** Answers to a parameter that the last release refuses: only callers who send it get them. */
const askedFor = ['GET /v1/jobs/{id}/files/{videoId} 200 is object, not array'];

it('nothing that clients of the last release use is gone, narrower or newly required', () => {
  if (process.env.TDS_TEST_WRITE_RELEASED === '1')
    writeFileSync(RELEASED, `${JSON.stringify(current, withoutTexts)}\n`);
  const released = JSON.parse(readFileSync(RELEASED, 'utf8')) as ApiDocument;
  expect(breakingChanges(released, current)).toEqual(askedFor);
});

const thing = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    state: { $ref: '#/components/schemas/State' },
    note: { type: 'string' },
  },
  required: ['id', 'state'],
};
const body = {
  type: 'object',
  properties: { name: { type: 'string', maxLength: 10 }, kind: { enum: ['a', 'b'], type: 'string' } },
  required: ['name'],
};
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const parameter = (name: string, required: boolean, schema: object) => ({
  name,
  in: 'query',
  required,
  schema,
});

/** A document of one operation; `change` edits a copy of it. */
const documentWith = (change: (parts: Parts) => void = () => undefined): ApiDocument => {
  const parts: Parts = structuredClone({
    thing,
    body,
    state: { type: 'string', enum: ['on', 'off'] },
    parameters: [parameter('limit', false, { type: 'integer', minimum: 1, maximum: 100 })],
    security: [{ apiKey: [] }, { session: [] }],
    statuses: ['200', '202'],
  });
  change(parts);
  const { parameters, security, statuses } = parts;
  const responses = Object.fromEntries(
    statuses.map((status) => [status, { headers: { 'X-Id': {} }, ...json(parts.thing) }]),
  );
  const operation = { security, parameters, requestBody: { required: true, ...json(parts.body) }, responses };
  return {
    paths: parts.isGone ? {} : { '/things': { post: operation } },
    webhooks: { done: { post: { requestBody: json(parts.thing), responses: {} } } },
    components: { schemas: { State: parts.state } },
  } as ApiDocument;
};
type Parts = {
  // biome-ignore lint/suspicious/noExplicitAny: tests edit schemas of any shape
  [part in 'thing' | 'body' | 'state']: any;
} & { parameters: object[]; security: object[]; statuses: string[]; isGone?: boolean };

describe('a change of the API', () => {
  it.each<[string, (parts: Parts) => void, RegExp]>([
    [
      'removes an operation',
      (parts) => {
        parts.isGone = true;
      },
      /POST \/things is gone/,
    ],
    [
      'removes a parameter',
      (parts) => {
        parts.parameters = [];
      },
      /limit is gone/,
    ],
    [
      'requires a parameter',
      ({ parameters }) => parameters.push(parameter('q', true, { type: 'string' })),
      /q is required/,
    ],
    [
      'narrows a parameter',
      ({ parameters }) => {
        parameters[0] = parameter('limit', false, { type: 'integer', maximum: 50 });
      },
      /limit takes less/,
    ],
    ['removes a status', ({ statuses }) => statuses.pop(), /202 is gone/],
    ['removes a field of an answer', (parts) => delete parts.thing.properties.note, /note is gone/],
    [
      'makes a field of an answer optional',
      (parts) => {
        parts.thing.required = ['state'];
      },
      /id may be absent/,
    ],
    [
      'makes a field of an answer nullable',
      (parts) => {
        parts.thing.properties.id = { type: ['string', 'null'] };
      },
      /id is null, not string/,
    ],
    [
      'changes the type of a field',
      (parts) => {
        parts.thing.properties.id = { type: 'integer' };
      },
      /id is integer, not string/,
    ],
    [
      'opens an enumeration of an answer',
      (parts) => {
        parts.state = { type: 'string' };
      },
      /state may have any value/,
    ],
    [
      'requires a field of a body',
      (parts) => {
        parts.body.required = ['name', 'kind'];
      },
      /kind is required/,
    ],
    ['removes a field of a body', (parts) => delete parts.body.properties.kind, /kind is gone/],
    [
      'shortens a field of a body',
      (parts) => {
        parts.body.properties.name.maxLength = 5;
      },
      /name takes less/,
    ],
    [
      'takes fewer values',
      (parts) => {
        parts.body.properties.kind.enum = ['a'];
      },
      /kind takes fewer values/,
    ],
    ['takes fewer credentials', ({ security }) => security.pop(), /fewer credentials/],
  ])('that %s breaks clients', (_what, change, expected) => {
    expect(breakingChanges(documentWith(), documentWith(change)).join('\n')).toMatch(expected);
  });

  it.each<[string, (parts: Parts) => void]>([
    ['changes nothing', () => undefined],
    [
      'adds a field to an answer',
      (parts) => {
        parts.thing.properties.more = { type: 'string' };
        parts.thing.required.push('more');
      },
    ],
    [
      'adds an optional parameter',
      ({ parameters }) => parameters.push(parameter('q', false, { type: 'string' })),
    ],
    [
      'takes longer values',
      (parts) => {
        parts.body.properties.name.maxLength = 20;
      },
    ],
    [
      'takes more values',
      (parts) => {
        parts.body.properties.kind.enum.push('c');
      },
    ],
    ['adds a status', ({ statuses }) => statuses.push('203')],
    [
      'says less of a body',
      (parts) => {
        parts.body.required = [];
      },
    ],
  ])('that %s does not', (_what, change) => {
    expect(breakingChanges(documentWith(), documentWith(change))).toEqual([]);
  });
});

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { EXAMPLE_ORIGIN } from '@tds/http-api';
import { workspaceRoot } from '@tds/servers';
import { findPath, type OpenApiDocument, type SeenAnswer, watchServer } from '@tds/test-kit';

type Schema = {
  readonly $ref?: string;
  readonly type?: string;
  readonly required?: readonly string[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
};
type JsonContent = { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
type Document = OpenApiDocument & {
  readonly webhooks: Readonly<Record<string, { readonly post: { readonly requestBody: JsonContent } }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

const MAX_ROWS = 2;
const MAX_TEXT_LENGTH = 300;
const RECENT_MS = 31 * 86_400_000;
const TIME = '2026-01-15T12:00:00.000Z';

const nameOf = ({ $ref = '' }: Schema): string => $ref.split('/').at(-1) ?? '';

/** The names of the shapes of an answer. */
const shapesOf = (schema: Schema, document: Document): string[] => {
  const { oneOf, anyOf } = document.components.schemas[nameOf(schema)] ?? schema;
  const forms = oneOf ?? anyOf;
  return forms ? forms.flatMap((one) => shapesOf(one, document)) : [nameOf(schema)];
};

const isOf = ({ type, required = [] }: Schema, body: unknown): boolean =>
  type === 'array' ? Array.isArray(body) : required.every((field) => Object.hasOwn(Object(body), field));

/** The schema that each JSON answer of success has, for every operation. */
const schemaOf = (document: Document, { method, url, status }: SeenAnswer): Schema | undefined => {
  const item = document.paths[findPath(document, url.split('?')[0] ?? '') ?? ''];
  const content = item?.[method.toLowerCase()]?.responses[status]?.content?.['application/json'];
  return status < 300 ? (content?.schema as Schema | undefined) : undefined;
};

/** Every shape that a JSON answer of success can have. */
export const answerShapes = (document: Document): string[] => {
  const all = Object.values(document.paths).flatMap((item) =>
    Object.values(item).flatMap(({ responses }) =>
      Object.entries(responses)
        .filter(([status]) => Number(status) < 300)
        .map(([, { content }]) => content?.['application/json']?.schema as Schema | undefined),
    ),
  );
  return [...new Set(all.flatMap((schema) => (schema ? shapesOf(schema, document) : [])))];
};

/** The name of the shape of each kind of event. */
export const eventShapes = ({ webhooks }: Document): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(webhooks).map(([kind, { post }]) => [
      kind,
      nameOf(post.requestBody.content['application/json'].schema),
    ]),
  );

/** A day of the last weeks, as many days before the day of the examples. */
const stableDay = (day: string): string => {
  const agoMs = Date.now() - Date.parse(day);
  return agoMs > RECENT_MS ? day : new Date(Date.parse(TIME) - agoMs).toISOString().slice(0, 10);
};

/** Replaces the values that differ from run to run, and shortens lists and texts. */
const createStabilizer = (gateway: string) => {
  const ids = new Map<string, string>();
  const stableId = (id: string): string => {
    const known = ids.get(id) ?? `01900000-0000-7000-8000-${String(ids.size + 1).padStart(12, '0')}`;
    ids.set(id, known);
    return known;
  };
  const text = (value: string): string =>
    value
      .replaceAll(gateway, EXAMPLE_ORIGIN)
      .replaceAll(/http:\/\/(?:127\.0\.0\.1|localhost):\d+/g, 'https://other.example')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, stableId)
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, TIME)
      .replaceAll(/svc_live_[A-Za-z0-9_-]+/g, (key) => `svc_live_${'A1b2'.repeat(20)}`.slice(0, key.length))
      .replaceAll(/whsec_[\w+/=-]+/g, (secret) => `whsec_${'A1b2'.repeat(20)}`.slice(0, secret.length))
      .replaceAll(/\b[0-9a-f]{64}\b/g, '0'.repeat(64))
      .replaceAll(/\b(?=[a-z]*\d)[0-9a-z]{32}\b/g, 'm'.repeat(32))
      .replaceAll(/_[0-9a-f]{24}\b/g, `_${'0'.repeat(24)}`)
      .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, TIME.slice(0, 19).replace('T', ' '))
      .replaceAll(/\d{4}-\d\d-\d\d/g, stableDay)
      .slice(0, MAX_TEXT_LENGTH);
  const stable = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) return value.slice(0, MAX_ROWS).map(stable);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, stable(each)]));
  };
  return stable;
};

const filled = (value: unknown): number => (JSON.stringify(value).match(/(?<!null)[,}\]]/g) ?? []).length;

/** Keeps of each shape the answer that has the most values. */
export const recordExamples = (document: Document, gateway: string) => {
  const examples: Record<string, unknown> = {};
  const stable = createStabilizer(gateway);
  const keep = (name: string, body: unknown): void => {
    const example = stable(body);
    if (filled(example) > filled(examples[name] ?? null)) examples[name] = example;
  };
  const stop = watchServer(Number(new URL(gateway).port), (answer) => {
    const schema = schemaOf(document, answer);
    if (schema === undefined || !answer.headers['content-type']?.startsWith('application/json')) return;
    if (answer.headers['content-encoding'] !== undefined) return;
    const body: unknown = JSON.parse(answer.body.toString());
    const name = shapesOf(schema, document).find((one) => isOf(document.components.schemas[one] ?? {}, body));
    if (name !== undefined) keep(name, body);
  });
  return { examples, keep, stop };
};

/** Names and types, all the way down; null fits anything, and so does an empty list. */
const differences = (one: unknown, other: unknown, at = ''): string[] => {
  if (one === null || other === null) return [];
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === 0 || other.length === 0 ? [] : differences(one[0], other[0], `${at}[0]`);
  if (typeof one !== typeof other) return [`${at} is ${typeof other}`];
  if (typeof one !== 'object') return [];
  const [names, others] = [Object.keys(one), Object.keys(other as object)];
  return [
    ...names.filter((name) => !others.includes(name)).map((name) => `${at}.${name} is gone`),
    ...others.filter((name) => !names.includes(name)).map((name) => `${at}.${name} is new`),
    ...names
      .filter((name) => others.includes(name))
      .flatMap((name) =>
        differences(
          (one as Record<string, unknown>)[name],
          (other as Record<string, unknown>)[name],
          `${at}.${name}`,
        ),
      ),
  ];
};

const FILE = path.join(workspaceRoot, 'packages/http-api/src/openapi/examples.json');

/** How the examples of the OpenAPI document differ from these answers and events, which replace them if TDS_TEST_WRITE_EXAMPLES=1. */
export const staleExamples = (recorded: Readonly<Record<string, unknown>>): string[] => {
  if (process.env.TDS_TEST_WRITE_EXAMPLES === '1')
    writeFileSync(FILE, `${JSON.stringify(recorded, null, 1)}\n`);
  return differences(JSON.parse(readFileSync(FILE, 'utf8')), recorded);
};

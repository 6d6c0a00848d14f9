import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { createAjv } from '../json-schema.ts';
import {
  type AnswerDescription,
  findPath,
  type Json,
  type OpenApiDocument,
  pointer,
} from './openapi-document.ts';
import type { SeenAnswer } from './seen-answers.ts';

const DOCUMENT = 'document';
/** Headers of HTTP itself, of which OpenAPI says that they are not described. */
const httpHeaders = new Set(['content-type', 'content-length', 'content-encoding', 'connection', 'date']);
/** What browsers and proxies read, never a program. */
const browserHeaders = new Set([
  'access-control-allow-origin',
  'access-control-expose-headers',
  'strict-transport-security',
  'x-accel-buffering',
]);
/** What pages say to browsers; programs do not read it. */
const pageHeaders = new Set([
  'content-security-policy',
  'cross-origin-opener-policy',
  'permissions-policy',
  'referrer-policy',
  'x-frame-options',
]);
const isExempt = (name: string, type = ''): boolean =>
  httpHeaders.has(name) || browserHeaders.has(name) || (type.startsWith('text/html') && pageHeaders.has(name));

const decoders: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
};

const decodeBody = ({ body, headers }: SeenAnswer): string => {
  const decode = decoders[headers['content-encoding'] ?? ''];
  return (decode ? decode(body) : body).toString();
};

const asNumber = (text: string): unknown => (/^\d+$/.test(text) ? Number(text) : text);

/** The description of an answer and its place: at its route, or among the shared ones. */
const resolveDescription = (
  { components }: OpenApiDocument,
  ownPointer: string,
  described: AnswerDescription,
) => {
  const name = described.$ref?.split('/').at(-1) ?? '';
  const shared = components.responses?.[name];
  return shared === undefined
    ? { where: ownPointer, shown: described }
    : { where: pointer('components', 'responses', name), shown: shared };
};

/** Of an error that routes share, the route's own description names the codes. */
const codeBreaches = ({ $ref, description = '' }: AnswerDescription, answer: SeenAnswer): string[] => {
  if ($ref === undefined) return [];
  const { code } = JSON.parse(decodeBody(answer)) as { code?: string };
  return description.split(', ').includes(code ?? '') ? [] : [`the code ${code} is not described`];
};

/** Lists the parts of an answer that the OpenAPI document does not describe. */
export const createAnswerCheck = (document: OpenApiDocument) => {
  const ajv = createAjv();
  ajv.addSchema(document as object, DOCUMENT);

  const breaches = (at: string, value: unknown): string[] => {
    const validate = ajv.getSchema(`${DOCUMENT}#${at}`) as ValidateFunction;
    return validate(value) ? [] : [ajv.errorsText(validate.errors)];
  };

  const headerBreaches = (at: string, described: AnswerDescription, { headers }: SeenAnswer): string[] => {
    const headerNames = new Map(Object.keys(described.headers ?? {}).map((name) => [name.toLowerCase(), name]));
    const undescribed = Object.keys(headers).filter(
      (name) => !isExempt(name, headers['content-type']) && !headerNames.has(name),
    );
    const wrong = [...headerNames].flatMap(([lower, name]) => {
      const inPlace = described.headers?.[name] as Json;
      const isShared = inPlace.$ref !== undefined;
      const header = isShared ? (document.components.headers[name] as Json) : inPlace;
      const where = isShared ? pointer('components', 'headers', name) : at + pointer('headers', name);
      const value = headers[lower];
      if (value === undefined) return header.required ? [`the header ${name} is missing`] : [];
      return breaches(`${where}/schema`, asNumber(value)).map((text) => `the header ${name}: ${text}`);
    });
    return [...undescribed.map((name) => `the header ${name} is not described`), ...wrong];
  };

  const bodyBreaches = (at: string, { content = {} }: AnswerDescription, answer: SeenAnswer): string[] => {
    const [type = ''] = (answer.headers['content-type'] ?? '').split(';');
    if (answer.body.length === 0 && type === '') {
      return Object.keys(content).length > 0 ? ['a body is described, and there is none'] : [];
    }
    if (content[type] === undefined) return [`the type ${type} is not described`];
    const text = decodeBody(answer);
    const value = type === 'application/json' ? JSON.parse(text) : text;
    return breaches(at + pointer('content', type, 'schema'), value);
  };

  return (answer: SeenAnswer): string[] => {
    const [pathname = ''] = answer.url.split('?');
    const path = findPath(document, pathname);
    if (path === undefined || answer.method === 'OPTIONS') return [];
    const item = document.paths[path] ?? {};
    const isHead = answer.method === 'HEAD';
    const method = isHead ? 'get' : answer.method.toLowerCase();
    // The answers of a path to other methods stand at each of its methods.
    const at = item[method] ? method : (Object.keys(item)[0] as string);
    const described = item[at]?.responses[answer.status];
    if (described === undefined) return [`the status ${answer.status} is not described`];
    const ownPointer = pointer('paths', path, at, 'responses', String(answer.status));
    const { where, shown } = resolveDescription(document, ownPointer, described);
    const headProblems = headerBreaches(where, shown, answer);
    if (isHead) return headProblems;
    return [...headProblems, ...bodyBreaches(where, shown, answer), ...codeBreaches(described, answer)];
  };
};

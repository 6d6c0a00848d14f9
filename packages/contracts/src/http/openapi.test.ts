import { describe, expect, it } from '@jest/globals';
import { errorCodes } from '../errors/error-codes.ts';
import { openApiDocument, routeErrors } from './openapi.ts';
import { methodsByPath, routes } from './routes.ts';

type Operation = {
  operationId: string;
  security: object[];
  parameters: { name: string; in: string; required: boolean }[];
  requestBody?: { required: boolean };
  responses: Record<string, { description: string }>;
};
const document = openApiDocument(routes, 'https://api.example') as {
  paths: Record<string, Record<string, Operation>>;
};
const operationOf = (path: string, method: string): Operation =>
  document.paths[path]?.[method.toLowerCase()] as Operation;

describe('the OpenAPI document', () => {
  it.each(routes.map((row) => [row.id, row] as const))('describes %s as the table has it', (id, row) => {
    const operation = operationOf(row.path, row.method);
    expect(operation.operationId).toBe(id);
    expect(operation.parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name)).toEqual(
      Object.keys(row.query),
    );
    for (const [, name] of row.path.matchAll(/\{(\w+)\}/g)) {
      expect(operation.parameters).toContainEqual(
        expect.objectContaining({ name, in: 'path', required: true }),
      );
    }
    expect(operation.security.length > 0).toBe(row.access !== 'public');
  });

  it.each(routes.map((row) => [row.id, row] as const))(
    'names every error of %s at its status',
    (_id, row) => {
      const { responses } = operationOf(row.path, row.method);
      for (const code of routeErrors(row)) {
        expect(responses[errorCodes[code].status]?.description.split(', ')).toContain(code);
      }
    },
  );

  it('asks for a body only where a field of it is required', () => {
    expect(operationOf('/v1/auth/code', 'POST').requestBody?.required).toBe(true);
    expect(operationOf('/v1/auth/logout', 'POST').requestBody).toBeUndefined();
  });
});

describe('the route table', () => {
  it('has each id, and each method of a path, once', () => {
    const ids = routes.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const ends = routes.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(ends).size).toBe(ends.length);
  });

  it('allows HEAD where it allows GET, and OPTIONS everywhere', () => {
    for (const [, methods] of methodsByPath(routes)) {
      expect(methods.includes('HEAD')).toBe(methods.includes('GET'));
      expect(methods.at(-1)).toBe('OPTIONS');
    }
  });
});

import { context, type Span } from '@opentelemetry/api';
import type { Pool, PoolClient } from 'pg';
import { failSpan, isInsideTrace, startSpan } from './telemetry.ts';

const MAX_STATEMENT_LENGTH = 500;
const traced = Symbol('tds.traced');

type Query = (...args: unknown[]) => unknown;
type Callback = (error: Error | undefined, result: unknown) => void;
type Traceable = { query: Query; [traced]?: true };

const readStatement = (query: unknown): string => {
  const text = typeof query === 'string' ? query : (query as { text?: unknown } | null)?.text;
  return typeof text === 'string' ? text.trim() : '';
};

/** The statement's text carries $1, $2: values are never part of a span. */
const startQuerySpan = (statement: string) => {
  const operation = /^\w+/.exec(statement)?.[0]?.toUpperCase() ?? 'QUERY';
  return startSpan(`postgres ${operation}`, {
    kind: 'client',
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      'db.query.text': statement.slice(0, MAX_STATEMENT_LENGTH),
    },
  });
};

const endSpan = (span: Span, error: unknown): void => {
  if (error) failSpan(span, error);
  span.end();
};

const withTracedCallback = (args: unknown[], callback: Callback, span: Span): unknown[] => {
  // The caller's continuation runs in the context of the query, not in that of the socket's read.
  const answer: Callback = context.bind(context.active(), callback);
  return [
    ...args.slice(0, -1),
    (error: Error | undefined, result: unknown) => {
      endSpan(span, error);
      answer(error, result);
    },
  ];
};

const traceClient = (client: Traceable): void => {
  if (client[traced]) return;
  client[traced] = true;
  const query = client.query.bind(client);
  client.query = (...args) => {
    const statement = isInsideTrace() ? readStatement(args[0]) : '';
    const span = statement === '' ? undefined : startQuerySpan(statement)?.span;
    if (!span) return query(...args);
    const callback = args.at(-1);
    if (typeof callback === 'function') return query(...withTracedCallback(args, callback as Callback, span));
    const result = query(...args);
    if (!(result instanceof Promise)) {
      // A cursor or stream: it reports to itself, so the span covers only the sending.
      span.end();
      return result;
    }
    return result.then(
      (value) => {
        endSpan(span, undefined);
        return value;
      },
      (error) => {
        endSpan(span, error);
        throw error;
      },
    );
  };
};

/** A pool that is full calls who waits from the query of another: `query` of a pool waits by this callback. */
const keepContext = (pool: { connect: Query }): void => {
  const connect = pool.connect.bind(pool);
  pool.connect = (...args) =>
    connect(...args.map((arg) => (typeof arg === 'function' ? context.bind(context.active(), arg) : arg)));
};

/** Gives each query of the pool a span, below an active span only, so that polling in the background makes no traces. */
export const tracePool = (pool: Pool): Pool => {
  pool.on('connect', (client: PoolClient) => traceClient(client as unknown as Traceable));
  keepContext(pool as unknown as { connect: Query });
  return pool;
};

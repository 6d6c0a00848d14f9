import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { InMemorySpanExporter } from '@opentelemetry/sdk-trace';
import { createTestDatabase, type TestDatabase } from '@tds/test-kit';
import pg from 'pg';
import { currentTraceparent, startTelemetry, type Telemetry, withSpan } from './telemetry.ts';
import { tracePool } from './trace-pool.ts';

let database: TestDatabase;
let pool: pg.Pool;
let telemetry: Telemetry;
const exporter = new InMemorySpanExporter();

beforeAll(async () => {
  database = await createTestDatabase('messaging');
  pool = tracePool(new pg.Pool({ connectionString: database.url, max: 2 }));
  telemetry = await startTelemetry({ service: 'search', exporter });
});
afterAll(async () => {
  await telemetry.stop();
  await pool.end();
  await database.drop();
});

/** The spans that `work` leaves below one of its own. */
const spansOf = async (work: () => Promise<unknown>) => {
  exporter.reset();
  await withSpan('work', {}, work);
  return exporter.getFinishedSpans();
};

describe('tracePool', () => {
  it('a query of the pool or of one of its clients is a span below the work that asks', async () => {
    const spans = await spansOf(async () => {
      await pool.query('SELECT $1::text', ['a value of a customer']);
      const client = await pool.connect();
      await client.query({ text: 'SELECT 2' });
      client.release();
    });
    expect(spans.map((span) => span.name)).toEqual(['postgres SELECT', 'postgres SELECT', 'work']);
    expect(spans[0]?.parentSpanContext?.spanId).toBe(spans[2]?.spanContext().spanId);
    expect(spans[0]?.attributes).toMatchObject({ 'db.query.text': 'SELECT $1::text' });
    expect(JSON.stringify(spans.map((span) => span.attributes))).not.toContain('customer');
  });

  it('a query that fails marks its span, and fails as it would without one', async () => {
    const spans = await spansOf(async () => {
      await expect(pool.query('SELECT 1 / 0')).rejects.toMatchObject({ code: '22012' });
    });
    expect(spans[0]).toMatchObject({ status: { code: 2, message: 'division by zero' } });
    expect(spans[1]?.status.code).toBe(0);
  });

  it('what follows a query stays in the span that asked, with promises and with callbacks', async () => {
    await withSpan('work', {}, async () => {
      const own = currentTraceparent();
      await pool.query('SELECT 1');
      expect(currentTraceparent()).toBe(own);
      const inCallback = await new Promise((resolve) => {
        pool.query('SELECT 1', [], () => resolve(currentTraceparent()));
      });
      expect(inCallback).toBe(own);
    });
  });

  it('a query that waits for a connection is in the trace of its own request', async () => {
    exporter.reset();
    const requests = ['one', 'two', 'three', 'four', 'five', 'six'];
    await Promise.all(requests.map((name) => withSpan(name, {}, () => pool.query(`SELECT '${name}'`))));
    const spans = exporter.getFinishedSpans();
    const idOf = (name: string) => spans.find((span) => span.name === name)?.spanContext().spanId;
    for (const name of requests) {
      const query = spans.find(({ attributes }) => attributes['db.query.text'] === `SELECT '${name}'`);
      expect([name, query?.parentSpanContext?.spanId]).toEqual([name, idOf(name)]);
    }
  });

  it('polling outside any work leaves no trace', async () => {
    exporter.reset();
    await pool.query('SELECT 1');
    expect(exporter.getFinishedSpans()).toEqual([]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { register } from 'prom-client';
import { createInstruments } from './instruments.ts';
import { createMetrics } from './metrics.ts';

describe('createMetrics', () => {
  it('names what dashboards and alerts ask for', async () => {
    const metrics = createInstruments(createMetrics('search'));
    metrics.commandDuration.observe({ name: 'search-page', outcome: 'ok' }, 0.02);
    metrics.taskDuration.observe({ name: 'fetch-track', outcome: 'upstream_error' }, 2);
    metrics.eventLag.observe({ name: 'key-revoked' }, 0.1);
    metrics.outboxUnpublished.set(3);
    metrics.outboxLag.set(1.5);
    metrics.httpRequestDuration.observe({ route: 'search', method: 'GET', status: '200', cache: '' }, 0.01);
    metrics.poolConnections.set({ pool: 'service', state: 'idle' }, 4);
    metrics.projectionFailures.inc({ projection: 'balance', operation: 'read' });
    const text = await metrics.text();
    for (const line of [
      'tds_command_duration_seconds_count{service="search",name="search-page",outcome="ok"} 1',
      'tds_task_duration_seconds_count{service="search",name="fetch-track",outcome="upstream_error"} 1',
      'tds_event_lag_seconds_count{service="search",name="key-revoked"} 1',
      'tds_outbox_unpublished{service="search"} 3',
      'tds_outbox_lag_seconds{service="search"} 1.5',
      'tds_http_request_duration_seconds_count{service="search",route="search",method="GET",status="200",cache=""} 1',
      'tds_pool_connections{pool="service",state="idle",service="search"} 4',
      'tds_projection_failures_total{projection="balance",operation="read",service="search"} 1',
    ]) {
      expect(labelsSorted(text)).toContain(labelsSorted(line));
    }
    expect(text).toContain('process_cpu_seconds_total');
  });

  it('services that share a process share no metric, and nothing is global', async () => {
    const one = createMetrics('one', { processMetrics: false });
    const two = createMetrics('two', { processMetrics: false });
    one.counter({ name: 'tds_things_total', help: 'Things' }).inc();
    two.counter({ name: 'tds_things_total', help: 'Things' }).inc(5);
    expect(await one.text()).toContain('tds_things_total{service="one"} 1');
    expect(await two.text()).toContain('tds_things_total{service="two"} 5');
    expect(register.getMetricsAsArray()).toEqual([]);
  });

  it('a value that is read on demand is read at each scrape', async () => {
    const metrics = createMetrics('search', { processMetrics: false });
    let waiting = 1;
    const gauge = metrics.gauge({ name: 'tds_waiting', help: 'Waiting' });
    metrics.onScrape({ sets: [gauge], collect: () => gauge.set(waiting) });
    expect(await metrics.text()).toContain('tds_waiting{service="search"} 1');
    waiting = 2;
    expect(await metrics.text()).toContain('tds_waiting{service="search"} 2');
  });
});

/** The order of labels means nothing. */
function labelsSorted(text: string): string {
  return text.replace(/\{([^}]*)\}/g, (_, labels: string) => `{${labels.split(',').sort().join(',')}}`);
}

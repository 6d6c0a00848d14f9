import type { Server } from 'node:http';
import { createQuickRecords } from '@tds/base';
import { impairment } from '@tds/contracts';
import { routes } from '@tds/http-api';
import type { Kit } from '@tds/kit';
import { readBuiltSite } from '@tds/site';
import type { GatewayDeps } from './deps.ts';
import { createApp } from './front/create-app.ts';
import { createFinish } from './front/finish.ts';
import { createFrontDoor } from './front/front-door.ts';
import { createOauthMiddleware } from './front/oauth-middleware.ts';
import { serveTable } from './front/serve-route.ts';
import { countConnections, createHttpServer, listen, stopServer } from './front/server.ts';
import { createKeptDownloads, keepDownloads } from './pages/downloads.ts';
import { createPages } from './pages/pages.ts';
import { listImpairments } from './status/status-body.ts';
import { type Surface, surface } from './surface.ts';

/**
 * Memory and file handles go by connections; a progress stream holds one for as long as its job runs. Alerts ring by the words of the public
 * status.
 */
const measureServed = (
  { metrics }: Kit<Surface>,
  server: Server,
  { jobStreams, status }: GatewayDeps,
): void => {
  const connections = metrics.gauge({
    name: 'tds_http_connections',
    help: 'Open connections of callers',
    labels: [],
  });
  const streams = metrics.gauge({ name: 'tds_streams_open', help: 'Open progress streams', labels: [] });
  const impaired = metrics.gauge({
    name: 'tds_status_impaired',
    help: '1 while the public status calls this a reason why new cold work does not run as it should',
    labels: ['part'],
  });
  metrics.onScrape({
    sets: [connections, streams, impaired],
    collect: async () => {
      connections.set({}, await countConnections(server));
      streams.set({}, jobStreams.countReaders());
      const impairments = listImpairments(status.current());
      for (const part of impairment.options) impaired.set({ part }, impairments.includes(part) ? 1 : 0);
    },
  });
};

/** Counts the bytes of large transcripts and ZIPs by route. */
const measureLargeBodies = ({ metrics }: Kit<Surface>) => {
  const bytes = metrics.counter({
    name: 'tds_http_large_bytes_total',
    help: 'Bytes of bodies above 1 MiB that were answered',
    labels: ['route'],
  });
  for (const { id } of [routes.getTranscript, routes.getJobFile, routes.getJobArchive, routes.getJobDocument])
    bytes.inc({ route: id }, 0);
  return (route: string, count: number): void => bytes.inc({ route }, count);
};

/** With the drain. Shorter than the kit's time limit per part. */
const STOP_WITHIN_MS = 10_000;

export const startGateway = async (deps: GatewayDeps, kit: Kit<Surface>): Promise<void> => {
  const { config, ending } = deps;
  const { log, metrics } = kit;
  const records = createQuickRecords({ service: surface.name, level: config.logLevel });
  const finish = createFinish({ ...deps, log, metrics, records, countLargeBody: measureLargeBodies(kit) });
  const table = serveTable(deps, finish);
  const build = config.builtDir === undefined ? undefined : readBuiltSite(config.builtDir);
  const pages = createPages(config, deps.status, build);
  keepDownloads(kit, build?.downloads ?? []);
  const app = createApp(table, pages, {
    ...finish,
    readDownload: createKeptDownloads(kit.objects),
    oauth: createOauthMiddleware(deps, finish),
  });
  const server = createHttpServer(createFrontDoor(app, { table, pages }, finish), config.publicUrl, {
    maxConnections: config.maxConnections,
    isTrustedProxy: deps.isTrustedProxy,
  });
  measureServed(kit, server, deps);
  const { port } = await listen(server, config.port, config.host);
  kit.onStop('http', async () => {
    ending.abort();
    await stopServer(server, { drainMs: config.drainMs, withinMs: STOP_WITHIN_MS });
    records.flush();
  });
  kit.announce('http', `http://${config.host}:${port}`);
};

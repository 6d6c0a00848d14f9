import { createQuickRecords, type Handlers, type Kit } from '@tds/service-kit';
import { type GatewayConfig, readConfig } from './config.ts';
import { createDeps, type Deps, type Overrides } from './deps.ts';
import { createClientAddress } from './http/client-address.ts';
import { createApp } from './http/create-app.ts';
import { createFinish } from './http/finish.ts';
import { createFrontDoor } from './http/front-door.ts';
import { serveTable } from './http/serve-table.ts';
import { createHttpServer, listen, stopServer } from './http/server.ts';
import { onAccountStatusChanged } from './listeners/on-account-status-changed.ts';
import { onKeyChanged } from './listeners/on-key-changed.ts';
import { onKeyRevoked } from './listeners/on-key-revoked.ts';
import { accountHandlers } from './routes/account-handlers.ts';
import { getTranscriptRoute } from './routes/get-transcript.ts';
import { getUsageRoute } from './routes/get-usage.ts';
import { getVideoRoute } from './routes/get-video.ts';
import { logoutRoute } from './routes/logout.ts';
import { requestCodeRoute } from './routes/request-code.ts';
import type { RouteHandlers } from './routes/route-handler.ts';
import { verifyCodeRoute } from './routes/verify-code.ts';
import { type GatewaySurface, surface } from './surface.ts';

/** Below the kit's own time box for a part. */
const STOP_WITHIN_MS = 10_000;

const createHandlers = (deps: Deps, config: GatewayConfig): RouteHandlers => ({
  getTranscript: getTranscriptRoute(deps),
  getVideo: getVideoRoute(deps.call),
  getUsage: getUsageRoute(deps),
  requestCode: requestCodeRoute(deps.call),
  verifyCode: verifyCodeRoute(deps.call, config, deps.now),
  logout: logoutRoute(deps.call, config),
  ...accountHandlers(deps, config),
});

/** Listens on PORT and HOST; tests may put their own clock and limits in. */
export const startGateway = async (
  kit: Kit<GatewaySurface>,
  environment: NodeJS.ProcessEnv,
  overrides: Overrides = {},
): Promise<Handlers<GatewaySurface>> => {
  const config = readConfig(environment);
  const ending = new AbortController();
  const deps = createDeps(kit, { ...config, ending: ending.signal }, overrides);
  const { publicUrl, cookieSecure } = config;
  const records = createQuickRecords({ service: surface.name, level: config.logLevel });
  const { log, metrics } = kit;
  const finish = createFinish({
    log,
    records,
    metrics,
    publicUrl,
    cookieSecure,
    countUsage: deps.usage.count,
  });
  const readAddress = createClientAddress(config.trustedProxies);
  const table = serveTable(createHandlers(deps, config), {
    ...{ letIn: deps.letIn, book: deps.book, readAddress },
    ...finish,
  });
  const app = createApp(table, publicUrl, finish);
  const server = createHttpServer(createFrontDoor(app, table, finish), publicUrl, config);
  const { port } = await listen(server, config.port, config.host);
  kit.onStop('http', async () => {
    ending.abort();
    await stopServer(server, STOP_WITHIN_MS);
    records.flush();
  });
  kit.announce('http', `http://${config.host}:${port}`);
  return {
    commands: {},
    tasks: {},
    listeners: {},
    watchers: {
      'key-revoked': onKeyRevoked(deps.principals),
      'key-changed': onKeyChanged(deps.principals),
      'account-status-changed': onAccountStatusChanged(deps.principals),
    },
    schedules: {},
  };
};

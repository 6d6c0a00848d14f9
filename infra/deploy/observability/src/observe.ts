import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { endingSignal, scrapeTargetsIn } from '@tds/local';
import { dataDir, localDir } from '@tds/servers';
import { command, count } from '@tds/servers/command';
import { startObservers } from './start-observers.ts';

const { data, prometheusPort, grafanaPort } = command(
  'npm run watch-metrics --',
  'Brings Prometheus and, where the system has it, Grafana up beside npm start, on this machine only.',
)
  .option('--data <folder>', 'where npm start keeps its data', dataDir)
  .option('--prometheus-port <port>', 'where Prometheus listens', count, 9090)
  .option('--grafana-port <port>', 'where Grafana listens', count, 3000)
  .parse()
  .opts();

const HOUR_MS = 3_600_000;
const ending = endingSignal();
const targets = path.resolve(scrapeTargetsIn(data));

const start = async (): Promise<void> => {
  if (!existsSync(targets)) throw new Error('Start the service first: npm start');
  const dir = path.join(localDir, 'observe');
  const observers = await startObservers({ dir, targets, prometheusPort, grafanaPort });
  const { prometheus, grafana } = observers;
  console.log(
    `  Prometheus  ${prometheus}   alerts: ${prometheus}/alerts   who is scraped: ${prometheus}/targets`,
  );
  if (grafana) console.log(`  Grafana     ${grafana}`);
  else
    console.log(
      '  Grafana     is not on this system: install it as https://grafana.com/docs/grafana/latest/setup-grafana/installation says, and start this again',
    );
  console.log(
    '\nWhat an alert asks for: docs/runbooks. Ctrl-C stops both; what was measured stays in .local/observe/',
  );
  // Nothing else keeps this process: the observers are on their own.
  while (!ending.aborted) await delay(HOUR_MS, undefined, { signal: ending }).catch(() => {});
  await observers.stop();
};

await start().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});

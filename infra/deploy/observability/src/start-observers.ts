import { copyFileSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { ensureGrafana, ensurePrometheus } from '@tds/servers';
import { folder } from './read-data.ts';

export type ObserveOptions = {
  /** Where configuration, logs and what was measured stay. */
  readonly dir: string;
  /** A file that says who is scraped; its changes are followed. */
  readonly targets: string;
  readonly prometheusPort?: number;
  readonly grafanaPort?: number;
};

/** The configuration beside a folder of targets, as it is read elsewhere. */
const configure = ({ dir, targets }: ObserveOptions): string => {
  const config = path.join(dir, 'config');
  rmSync(config, { recursive: true, force: true });
  mkdirSync(path.join(config, 'targets'), { recursive: true });
  for (const file of ['prometheus.yml', 'rules.yml'])
    copyFileSync(path.join(folder, file), path.join(config, file));
  symlinkSync(targets, path.join(config, 'targets/local.json'));
  return path.join(config, 'prometheus.yml');
};

/** Starts both over what was measured last time; Grafana's address is null where the system has none. */
export const startObservers = async (options: ObserveOptions) => {
  const { dir, prometheusPort, grafanaPort } = options;
  const prometheus = await ensurePrometheus({
    dir: path.join(dir, 'prometheus'),
    port: prometheusPort,
    configFile: configure(options),
  });
  const grafana = await ensureGrafana({
    dir: path.join(dir, 'grafana'),
    port: grafanaPort,
    provisioning: path.join(folder, 'grafana/provisioning'),
    env: { PROMETHEUS_URL: prometheus.url, TDS_DASHBOARDS: path.join(folder, 'grafana/dashboards') },
  }).catch(async (error) => {
    await prometheus.stop();
    throw error;
  });
  return {
    prometheus: prometheus.url,
    grafana: grafana?.url ?? null,
    stop: async (): Promise<void> => {
      await grafana?.stop();
      await prometheus.stop();
    },
  };
};

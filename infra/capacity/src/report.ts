import { defaults, figures, assumptions as given } from './figures.ts';
import { costOf, handled, limits, loadOf, reachedAt } from './model.ts';

/** Two digits: the model knows no more. */
const short = (value: number): string => Number(value.toPrecision(2)).toLocaleString('en');
const table = (...rows: readonly (readonly string[])[]): string => {
  const [head = []] = rows;
  return [head, head.map(() => '---'), ...rows.slice(1)]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
};
const ofLaptops = (customers: number): string => `${short(customers / given.laptopCustomers)}x`;

const instanceTable = () =>
  table(
    ['Service', 'One instance handles', 'Limited by'],
    ['gateway', `${short(handled(figures.cachedRead.value))} cached reads a second`, 'CPU'],
    ['gateway', `${short(defaults.streams)} progress streams`, 'memory'],
    ['credits-ledger', `${short(figures.pairs.value)} deliveries a second`, 'its Postgres'],
    ['transcript-fetcher', `${short(defaults.places / given.secondsOfRow)} rows of jobs a second`, 'places'],
    ['webhook-dispatcher', `${short(handled(figures.webhook.value))} webhooks a second`, 'CPU'],
    ['billing', `${figures.events.value} payment events a second`, 'CPU of all that follows'],
    ['bulk-orchestrator', `${short(handled(figures.jobRow.value))} rows of jobs a second`, 'CPU'],
    ['search', `${short(handled(figures.search.value))} pages a second`, 'CPU'],
    ['identity', `${short(handled(figures.newKey.value))} keys a second that no gateway has seen`, 'CPU'],
    ['monitor-scheduler', `${short(handled(figures.source.value))} sources a second`, 'CPU'],
    ['archiver', `${short(handled(figures.zip.value))} ZIPs of 500 files a second`, 'CPU'],
    ['status', 'any: gateways ask every five seconds, whatever the load', ''],
  );

const limitTable = () => {
  const inOrder = limits.map((limit) => ({ ...limit, at: reachedAt(limit) })).toSorted((a, b) => a.at - b.at);
  const rows = inOrder.map(({ at, what, most, then }) => [
    ...[short(at), ofLaptops(at), `${most.toLocaleString('en')} ${what}`, then],
  ]);
  return table(['Customers', 'Laptops', 'Limit', 'Then'], ...rows);
};

const costRow = (customers: number): string[] => {
  const { cachedReads, coldRows } = loadOf(customers);
  const { instances, processes, cores, gigabytes, machines, entriesGb, filesGb } = costOf(customers);
  return [
    ...[`${short(customers)} (${ofLaptops(customers)})`, short(cachedReads), short(coldRows)],
    ...[instances.gateways, instances.fetchers, processes, machines].map((count) =>
      count.toLocaleString('en'),
    ),
    ...[cores, gigabytes, entriesGb, filesGb].map(short),
  ];
};
const COSTS =
  'Customers, Cached reads/s, Cold rows/s, Gateways, Fetchers, Processes, Machines, Cores, GB of memory';

/** The model as Markdown, for these numbers of customers. */
export const capacityMarkdown = (
  customers = [1, 10, 100, 1_000].map((laptops) => laptops * given.laptopCustomers),
): string => `# Capacity

\`npm run capacity\` computes this from measured figures, defaults and assumptions; \`npm run generate\` writes it. What to change when: [scale](../scale.md).

## One instance

By CPU: on ${given.busyShareOfCore * 100} % of a core. Ledger and billing with their Postgres: on two cores.

${instanceTable()}

## What fails first

${limitTable()}

## What it costs

In \`ha\`, on machines of ${given.coresOfMachine} cores and ${given.gigabytesOfMachine} GB, without the copies that Postgres keeps:

${table([...COSTS.split(', '), 'GB of entries a year', 'GB of files a year'], ...customers.map(costRow))}

## Assumed

${table(['Assumption', 'Value'], ...Object.entries(given).map(([name, value]) => [`\`${name}\``, short(value)]))}

## Measured

${table(['Figure', 'Of', 'Run'], ...Object.values(figures).map(({ value, of, run }) => [value.toLocaleString('en'), of, run]))}
`;

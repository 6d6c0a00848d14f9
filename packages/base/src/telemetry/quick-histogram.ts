import type { Registry } from 'prom-client';

type Series<Label extends string> = {
  readonly labels: Readonly<Record<Label, string>>;
  /** By bucket; the last counts what is beyond all bounds. */
  readonly counts: Float64Array;
  sum: number;
};

export type Definition<Label extends string> = {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly Label[];
};

/** A histogram of a hot path: it finds a series by one text, in a tenth of the time that prom-client takes for four labels. */
export class QuickHistogram<Label extends string> {
  readonly name: string;
  readonly labelNames: readonly Label[];
  readonly help: string;
  readonly #bounds: readonly number[];
  readonly #series = new Map<string, Series<Label>>();

  constructor(registry: Registry, { name, help, labels = [] }: Definition<Label>, bounds: readonly number[]) {
    this.name = name;
    this.labelNames = labels;
    this.help = help;
    this.#bounds = bounds;
    registry.registerMetric(this as never);
  }

  observe(labels: Readonly<Record<Label, string>>, value: number): void {
    let key = '';
    for (const name of this.labelNames) key += `${labels[name]} `;
    let series = this.#series.get(key);
    if (series === undefined) {
      series = { labels: { ...labels }, counts: new Float64Array(this.#bounds.length + 1), sum: 0 };
      this.#series.set(key, series);
    }
    let bucket = 0;
    while (value > (this.#bounds[bucket] as number)) bucket += 1;
    series.counts[bucket] = (series.counts[bucket] as number) + 1;
    series.sum += value;
  }

  reset(): void {
    this.#series.clear();
  }

  /** For the registry. */
  async get() {
    const values = this.#series.values().flatMap(({ labels, counts, sum }) => {
      let count = 0;
      const buckets = Array.from(counts, (more, bucket) => {
        count += more;
        return {
          metricName: `${this.name}_bucket`,
          labels: { le: this.#bounds[bucket] ?? '+Inf', ...labels },
          value: count,
        };
      });
      return [
        ...buckets,
        { metricName: `${this.name}_sum`, labels, value: sum },
        { metricName: `${this.name}_count`, labels, value: count },
      ];
    });
    return { name: this.name, help: this.help, type: 'histogram', aggregator: 'sum', values: [...values] };
  }
}

import { createInstruments } from '../telemetry/instruments.ts';
import { createMetrics } from '../telemetry/metrics.ts';

/** The labels that each metric of the kit may have, also while it has no series yet. */
export const instrumentLabels = (): ReadonlyMap<string, readonly string[]> =>
  new Map(
    Object.values(createInstruments(createMetrics('any', { processMetrics: false }))).map((metric) => {
      const { name, labelNames } = metric as unknown as { name: string; labelNames: readonly string[] };
      return [name, labelNames];
    }),
  );

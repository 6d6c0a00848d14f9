import type { Kit } from '@tds/kit';
import { createPoTokens, type PoTokens, tokenOutcomes } from '@tds/video-platform';
import type { Config } from '../config.ts';
import type { Surface } from '../surface.ts';

/** The configured provider of tokens with its metrics; undefined without one. */
export const openPoTokens = (
  { metrics, onStop }: Pick<Kit<Surface>, 'metrics' | 'onStop'>,
  { poTokens: settings, platform }: Pick<Config, 'poTokens' | 'platform'>,
  clock: () => Date,
): PoTokens | undefined => {
  const calls = metrics.counter({
    name: 'tds_po_token_calls_total',
    help: 'Calls of the provider of proof-of-origin tokens; skipped: its circuit is open',
    labels: ['outcome'],
  });
  for (const outcome of tokenOutcomes) calls.inc({ outcome }, 0);
  const isOpen = metrics.gauge({
    name: 'tds_po_token_circuit_open',
    help: '1 while the provider of tokens is not called because it failed',
    labels: [],
  });
  if (settings === null) return undefined;
  const tokens = createPoTokens({
    ...settings,
    exits: platform.exits,
    clock,
    onCall: (outcome) => calls.inc({ outcome }),
  });
  metrics.onScrape({ sets: [isOpen], collect: () => isOpen.set({}, tokens.isOpen() ? 1 : 0) });
  onStop('token provider', () => tokens.close());
  return tokens;
};

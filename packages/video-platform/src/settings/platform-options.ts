import { type BudgetParts, type Metrics, measureBudget, sqlByteBudget } from '../budget.ts';
import { openStrategies, type StrategyHooks } from '../config/strategy-file.ts';
import { measurePlatform } from '../metrics.ts';
import type { PlatformSettings } from './platform-fields.ts';

/** What ways to the platform use of a service: its database, its log and its metrics. */
type PlatformKit = BudgetParts & StrategyHooks & { readonly metrics: Metrics };

/** The options of a service that asks the platform: its settings, and a budget that its instances share. All is measured. */
export const toPlatformOptions = (
  kit: PlatformKit,
  { strategiesFile, ...settings }: PlatformSettings,
  proxyBytes = settings.proxyBytes,
) => {
  measureBudget(kit, proxyBytes);
  const budget = sqlByteBudget(kit.db, proxyBytes);
  return {
    ...settings,
    strategies: openStrategies(strategiesFile, kit),
    budget,
    ...measurePlatform(kit.metrics),
  };
};

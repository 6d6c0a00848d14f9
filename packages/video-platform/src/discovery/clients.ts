import { defaultStrategies, familyOf, type Strategy } from '../config/strategies.ts';
import { followRows, type StrategySource } from '../config/strategy-file.ts';

/** The row of that name, else the first of its family, else the built-in one: pages are read in the shapes of one client. */
const pick = (
  rows: readonly Strategy[],
  name: 'web' | 'android',
  family: 'web' | 'app',
): readonly Strategy[] => {
  const usable = rows.filter(({ needs }) => needs === 'nothing');
  const strategy =
    usable.find((row) => row.name === name) ??
    usable.find((row) => familyOf(row) === family) ??
    defaultStrategies.find((row) => row.name === name);
  return strategy === undefined ? [] : [strategy];
};

/** The client whose shapes pages, searches and names are read in. */
export const webClient = (source: StrategySource): StrategySource =>
  followRows(source, (rows) => pick(rows, 'web', 'web'));

/** Two clients: both have to say that a video is gone. */
export const witnesses = (source: StrategySource): StrategySource =>
  followRows(source, (rows) => [...pick(rows, 'web', 'web'), ...pick(rows, 'android', 'app')]);

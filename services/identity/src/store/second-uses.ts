import type { Kit } from '@tds/kit';
import type { Surface } from '../surface.ts';

export type CountSecondUse = (use: { readonly age: string; readonly answer: 'repeated' | 'ended' }) => void;

/** Registers the metric that shows whether apps or thieves use a code or a refresh token again. */
export const measureSecondUses = ({ metrics }: Pick<Kit<Surface>, 'metrics'>): CountSecondUse => {
  const name = 'tds_token_second_uses_total';
  const help =
    'Second uses of codes and refresh tokens by the time since the first: the answer was repeated, or the connection ended';
  const uses = metrics.counter({ name, help, labels: ['age', 'answer'] });
  return (use) => uses.inc(use);
};

import type { Impairment, Incident } from '@tds/contracts';

/** From when on which impairments there were. */
export type Change = { readonly changedAt: Date; readonly impaired: readonly Impairment[] };

type Open = { readonly beganAt: Date; readonly impaired: ReadonlySet<Impairment> };

const told = ({ beganAt, impaired }: Open, endedAt: Date | null): Incident => ({
  beganAt: beganAt.toISOString(),
  endedAt: endedAt?.toISOString() ?? null,
  impaired: [...impaired],
});

type Story = { readonly ended: readonly Incident[]; readonly open: Open | null };

const follow = ({ ended, open }: Story, { changedAt, impaired }: Change): Story => {
  if (impaired.length === 0) return { ended: open ? [...ended, told(open, changedAt)] : ended, open: null };
  const all = new Set([...(open?.impaired ?? []), ...impaired]);
  return { ended, open: { beganAt: open?.beganAt ?? changedAt, impaired: all } };
};

/** What lies between two moments without an impairment is one incident; the newest first. Changes come in their order. */
export const incidentsOf = (changes: readonly Change[]): Incident[] => {
  const { ended, open } = changes.reduce<Story>(follow, { ended: [], open: null });
  return [...ended, ...(open ? [told(open, null)] : [])].toReversed();
};

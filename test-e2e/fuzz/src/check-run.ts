import type { Evidence, Finding } from '@tds/audit';
import { auditBooks } from '@tds/audit';
import { checkSecrets, type Places } from '#support';
import { type Cast, secretsOf } from './callers.ts';
import type { Seen } from './fire.ts';
import { CANARY } from './request.ts';

const CHARGED = `
  SELECT account_id, coalesce(sum(-reserved_delta), 0)::int AS charged FROM entries WHERE kind = 'settle' GROUP BY 1`;

/** Every charged credit was reported to its account, and the other way round. */
export const checkTold = async ({ rows }: Evidence, { charged }: Pick<Seen, 'charged'>): Promise<Finding[]> => {
  const settled = await rows<{ account_id: string; charged: number }>('credits-ledger', CHARGED);
  const inLedger = new Map(settled.map((row) => [row.account_id, row.charged]));
  return [...new Set([...charged.keys(), ...inLedger.keys()])].flatMap((account) => {
    const [reported, found] = [charged.get(account) ?? 0, inLedger.get(account) ?? 0];
    if (reported === found) return [];
    return [
      {
        invariant: 'I2',
        subject: `account ${account}`,
        what: 'credits charged',
        expected: `${reported} as reported`,
        found: `${found}`,
      },
    ];
  });
};

/** Resident memory of the gateway over the run, in MiB. */
export type MemorySample = { readonly sent: number; readonly mib: number };

/** Before this the compiler and the caches fill what they may. */
const WARM_UP_SHARE = 0.4;
const WINDOW_SHARE = 0.2;
const MIN_SAMPLES = 20;
const MAX_GROWTH_MIB = 40;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Between the first fifth after the warm-up and the last one; null where the run was too short to tell. */
export const memoryGrowth = (samples: readonly MemorySample[]): number | null => {
  if (samples.length < MIN_SAMPLES) return null;
  const at = (share: number) => Math.floor(samples.length * share);
  const sizes = samples.map(({ mib }) => mib);
  const early = sizes.slice(at(WARM_UP_SHARE), at(WARM_UP_SHARE + WINDOW_SHARE));
  return median(sizes.slice(-at(WINDOW_SHARE))) - median(early);
};

export const checkMemory = (samples: readonly MemorySample[]): Finding[] => {
  const growth = memoryGrowth(samples) ?? 0;
  if (growth <= MAX_GROWTH_MIB) return [];
  return [
    {
      invariant: 'memory',
      subject: 'gateway',
      what: 'growth after the warm-up',
      expected: `at most ${MAX_GROWTH_MIB} MiB`,
      found: `${growth.toFixed(0)} MiB`,
    },
  ];
};

/** Of a system at rest: books, charges, memory, and whether anything kept a secret. */
export const checkRun = async (
  evidence: Evidence,
  { seen, cast, samples, places }: { seen: Seen; cast: Cast; samples: readonly MemorySample[]; places: Places },
): Promise<Finding[]> => [
  ...(await auditBooks(evidence)),
  ...(await checkTold(evidence, seen)),
  ...checkMemory(samples),
  ...(await checkSecrets(evidence, places, new Set([...secretsOf(cast), CANARY]))),
];

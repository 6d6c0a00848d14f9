import type { Evidence, Finding } from '@tds/audit';

/** What the ledger held at one moment: nothing of it may ever change or go. */
export type Seal = { readonly versions: string; readonly entries: number; readonly hash: string };

const VERSIONS = `
  SELECT coalesce(jsonb_object_agg(account_id, version), '{}')::text AS versions
  FROM (SELECT account_id, max(version) AS version FROM entries GROUP BY account_id) AS newest`;
const DIGEST = `
  SELECT count(*)::int AS entries, coalesce(md5(string_agg(md5(e::text), '' ORDER BY e.account_id, e.version)), '') AS hash
  FROM entries AS e JOIN jsonb_each_text($1::jsonb) AS sealed (account_id, version)
    ON e.account_id = sealed.account_id::uuid AND e.version <= sealed.version::bigint`;

const digest = async ({ rows }: Evidence, versions: string): Promise<Seal> => {
  const [found] = await rows<{ entries: number; hash: string }>('credits-ledger', DIGEST, [versions]);
  if (!found) throw new Error('an aggregate answered no row');
  return { versions, ...found };
};

export const takeSeal = async (evidence: Evidence): Promise<Seal> => {
  const [found] = await evidence.rows<{ versions: string }>('credits-ledger', VERSIONS);
  return digest(evidence, found?.versions ?? '{}');
};

/** I9: the entries that were there are there, byte for byte. */
export const checkSeals = async (evidence: Evidence, seals: readonly Seal[]): Promise<Finding[]> => {
  const findings: Finding[] = [];
  for (const [index, seal] of seals.entries()) {
    const now = await digest(evidence, seal.versions);
    if (now.hash === seal.hash && now.entries === seal.entries) continue;
    findings.push({
      invariant: 'I9',
      subject: `seal ${index + 1} of ${seals.length}`,
      what: 'entries as they were sealed during the run',
      expected: `${seal.entries} with hash ${seal.hash}`,
      found: `${now.entries} with hash ${now.hash}`,
    });
  }
  return findings;
};

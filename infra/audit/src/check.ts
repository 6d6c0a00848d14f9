import type { Evidence } from './evidence.ts';
import type { Finding } from './finding.ts';

/** One promise over the databases. A later service adds a file with its own and names it in `book-checks.ts`. */
export type BookCheck = {
  readonly invariant: string;
  readonly promise: string;
  readonly look: (evidence: Evidence) => Promise<Omit<Finding, 'invariant'>[]>;
};

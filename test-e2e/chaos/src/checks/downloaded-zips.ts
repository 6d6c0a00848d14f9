import type { Finding } from '@tds/audit';
import type { History } from '../history.ts';

/** I8: every ZIP that came to its end has the files that its manifest says, byte for byte. */
export const checkZips = ({ zips }: Pick<History, 'zips'>): Finding[] =>
  zips
    .filter(({ broken }) => broken.length > 0)
    .map(({ about, broken }) => ({
      ...{
        invariant: 'I8',
        subject: `ZIP of job ${about}`,
        what: 'its files',
        expected: 'those of its manifest',
      },
      found: broken.join('; '),
    }));

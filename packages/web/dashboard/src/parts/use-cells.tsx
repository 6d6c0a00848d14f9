import type { KeyUse } from '../key-use.ts';
import { number } from '../words.ts';

export const creditColumns = [
  { name: 'Used today', kind: 'number' },
  { name: 'This month', kind: 'number' },
] as const;

/** Credits that a key or an app has used, today beside its cap. */
export const UseCells = ({ use, cap }: { use: KeyUse | null; cap: number | null }) => (
  <>
    <td className="number">
      {use ? number(use.today) : '–'}
      {cap !== null && ` of ${number(cap)}`}
    </td>
    <td className="number">{use ? number(use.month) : '–'}</td>
  </>
);

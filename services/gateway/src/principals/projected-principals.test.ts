import { expect, it } from '@jest/globals';
import { identity } from '@tds/contracts';
import { reportRefused } from './projected-principals.ts';

it('every value that is not believed is counted, and a line a minute says why', () => {
  const seen = { counted: 0, lines: [] as unknown[] };
  const log = { error: (_: string, fields: unknown) => seen.lines.push(fields) };
  const metrics = { projectionsRefused: { inc: () => (seen.counted += 1) } };
  let now = 0;
  const report = reportRefused({ log, metrics } as never, () => now);
  for (let round = 0; round < 3; round += 1) report(identity.principal, 'wrong-mac');
  report(identity.principal, 'ended');
  const lines = [
    { projection: 'principal', why: 'wrong-mac' },
    { projection: 'principal', why: 'ended' },
  ];
  expect(seen).toEqual({ counted: 4, lines });
  now = 60_000;
  report(identity.principal, 'wrong-mac');
  expect(seen).toEqual({ counted: 5, lines: [...lines, lines[0]] });
});

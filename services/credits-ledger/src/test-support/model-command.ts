import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { startSharedServers, stopSharedServers } from '@tds/test-kit';
import { runModel } from './model-run.ts';

/** Compares the ledger with its plain model over many random sequences. Exits with 1 if they differ. */

const { values } = parseArgs({
  options: {
    sequences: { type: 'string', default: '10000' },
    steps: { type: 'string', default: '50' },
    seed: { type: 'string', default: String(randomInt(1, 1_000_000)) },
  },
});
const given = {
  sequences: Number(values.sequences),
  steps: Number(values.steps),
  seed: Number(values.seed),
};

const MOST_SHOWN = 20;
await startSharedServers();
try {
  const startedAt = performance.now();
  const { broken, findings, entries, sealed, outcomes } = await runModel(given);
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
  console.log(`${given.sequences} sequences of ${given.steps} steps, seed ${given.seed}: ${seconds} s`);
  console.log(`${entries} entries, ${sealed} of them sealed; ${findings.length} findings in the books`);
  for (const [outcome, count] of [...outcomes].toSorted()) console.log(`  ${outcome}: ${count}`);
  for (const message of broken) console.log(message);
  for (const finding of findings.slice(0, MOST_SHOWN)) console.log(JSON.stringify(finding));
  const held = broken.length + findings.length === 0;
  console.log(held ? 'The ledger answered as the model did.' : 'BROKEN');
  process.exitCode = held ? 0 : 1;
} finally {
  await stopSharedServers();
}
if (process.connected) process.disconnect();

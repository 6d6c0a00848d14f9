import { randomInt } from 'node:crypto';
import { command, count } from '@tds/command-line';
import { startSharedServers, stopSharedServers } from '@tds/test-kit';
import { runModel } from './model-run.ts';

const given = command(
  'npm run model --',
  'Compares the ledger with its plain model over many random sequences, and ends with 1 if they differ.',
)
  .option('--sequences <count>', 'how many', count, 10_000)
  .option('--steps <count>', 'of each', count, 50)
  .option('--seed <number>', 'repeats a run', count, randomInt(1, 1_000_000))
  .parse()
  .opts();

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

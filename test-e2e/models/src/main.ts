import { randomInt } from 'node:crypto';
import { runModel } from '@tds/credits-ledger/testing';
import { command, count } from '@tds/servers/command';
import { startSharedServers, stopSharedServers } from '@tds/test-kit';
import { runProtocol } from './protocol/run-protocol.ts';

const given = command(
  'npm run test:models --',
  'Runs many random sequences: of the ledger beside its plain model, and of the protocol of jobs, rows and credits. Ends with 1 if one breaks a promise.',
)
  .option('--sequences <count>', 'how many of each', count, 10_000)
  .option('--steps <count>', 'of each sequence of the ledger', count, 50)
  .option('--seed <number>', 'repeats a run', count, randomInt(1, 1_000_000))
  .parse()
  .opts();

const MAX_SHOWN = 20;

/** Without restores, and with one database put back to earlier states. */
const runProtocols = (): boolean => {
  const held = [false, true].map((hasRestores) => {
    const startedAt = performance.now();
    const { broken, coverage } = runProtocol({ ...given, hasRestores });
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
    const how = hasRestores ? ', a database put back' : '';
    console.log(`the protocol: ${given.sequences} sequences${how}, seed ${given.seed}: ${seconds} s`);
    for (const [what, times] of Object.entries(coverage)) console.log(`  ${what}: ${times}`);
    console.log(broken ?? 'Each delivery was charged once, and nothing held or waited for nothing.');
    return broken === null;
  });
  return held.every((isHeld) => isHeld);
};
const hasProtocolHeld = runProtocols();
await startSharedServers();
try {
  const startedAt = performance.now();
  const { broken, findings, entries, sealed, outcomes } = await runModel(given);
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
  console.log(`${given.sequences} sequences of ${given.steps} steps, seed ${given.seed}: ${seconds} s`);
  console.log(`${entries} entries, ${sealed} of them sealed; ${findings.length} findings in the books`);
  for (const [outcome, count] of [...outcomes].toSorted()) console.log(`  ${outcome}: ${count}`);
  for (const message of broken) console.log(message);
  for (const finding of findings.slice(0, MAX_SHOWN)) console.log(JSON.stringify(finding));
  const held = broken.length + findings.length === 0;
  console.log(held ? 'The ledger answered as the model did.' : 'BROKEN');
  process.exitCode = held && hasProtocolHeld ? 0 : 1;
} finally {
  await stopSharedServers();
}

import { bookChecks, checkRunningBooks, newBookChecks } from './checks/book-checks.ts';
import { formatFinding } from './checks/evidence.ts';
import { connectProcessor, processorCheck } from './checks/processor-check.ts';
import { errorMessage, paymentOn, resolveDatabases, systemCommand } from './running-system.ts';

const values = systemCommand(
  'npm run check-books --',
  "Checks the books of a running system, by default the developer's, and says exactly what is off.",
)
  .option('--new', "only what was booked since the ledger's last seals")
  .parse()
  .opts();

const { STRIPE_API_ORIGIN, STRIPE_SECRET_KEY } = process.env;
/** The processor of another system is asked only if its key is given. */
const openProcessor = async () => {
  if (STRIPE_SECRET_KEY)
    return connectProcessor(STRIPE_API_ORIGIN ?? 'https://api.stripe.com', STRIPE_SECRET_KEY);
  return values.postgres || values.databases
    ? null
    : connectProcessor(await paymentOn(values.data), 'sk_test_of_the_simulator');
};

let checks = values.new ? newBookChecks : bookChecks;
const check = async () => {
  try {
    const addressOf = await resolveDatabases(values);
    const processor = values.new ? null : await openProcessor();
    if (processor) checks = [...checks, processorCheck(processor)];
    const onCheck = (promise: string) => console.error(`… ${promise}`);
    return await checkRunningBooks(addressOf, checks, onCheck);
  } catch (error) {
    console.error(errorMessage(error));
    return process.exit(1);
  }
};

const findings = await check();
for (const finding of findings) console.log(formatFinding(finding));
if (findings.length === 0) {
  for (const { invariant, promise } of checks) console.log(`${invariant}  holds: ${promise}`);
}
process.exitCode = findings.length === 0 ? 0 : 1;

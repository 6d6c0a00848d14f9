import { command, count } from '@tds/command-line';
import { capacityMarkdown } from './report.ts';

const about =
  'Computes from measured figures what an installation carries, what fails first, and what it costs.';
const { customers } = command('npm run capacity --', about)
  .option('--customers <count>', 'of an installation (default: a laptop, and 10, 100, 1,000 of them)', count)
  .parse()
  .opts();
console.log(customers ? capacityMarkdown([customers]) : capacityMarkdown());

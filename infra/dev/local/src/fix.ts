import { command } from '@tds/command-line';
import { workspaceRoot } from '@tds/servers';
import { endingSignal } from './ending.ts';
import { runStep } from './run-step.ts';
import { inBin } from './turbo-step.ts';

command('npm run fix --', 'Formats, and repairs what the linter can repair.').parse();
process.chdir(workspaceRoot);
const biome = { title: 'fix', command: inBin('biome'), args: ['check', '--write', '.'] };
const { passed } = await runStep({ ...biome, live: true, signal: endingSignal() });
process.exitCode = passed ? 0 : 1;
if (process.connected) process.disconnect(); // the channel to the bootstrap would keep this process waiting

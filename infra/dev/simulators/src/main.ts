import { loadConfig, type Part, startPart } from './parts.ts';

/** `node main.ts platform|payments|mail|webhooks`: one part of what is around the service, as this process. */
const [name = ''] = process.argv.slice(2);
const part: Part = await startPart(name, loadConfig(process.env));
process.stdout.write(`${name} listens\n`);
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void part.stop());

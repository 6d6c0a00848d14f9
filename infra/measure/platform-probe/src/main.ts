import { command } from '@tds/servers/command';
import { defaultStrategies } from '@tds/video-platform';
import { adviceFor } from './advice.ts';
import { printReport } from './print.ts';
import { probe } from './probe.ts';
import { delivers } from './report.ts';
import { readProbeSettings, readSettingsFile } from './settings.ts';

const json = (value: unknown): string => JSON.stringify(value, null, 2);

/** Prints what is resolved to; a failure is one sentence. */
const print = async (
  work: () => Promise<{ readonly text: string; readonly isGood: boolean }>,
): Promise<void> => {
  try {
    const { text, isGood } = await work();
    console.log(text);
    process.exitCode = isGood ? 0 : 1;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
};

const WELL_KNOWN = { real: 'jNQXAC9IVRw', simulated: 'manualEn001' };

const program = command('npm run probe-platform --', 'Shows how the video platform answers this installation.');

program
  .command('probe')
  .description(
    'Asks every strategy through every exit, without a running service. Ends with 1 if nothing is delivered.',
  )
  .argument('[video...]', 'videos with captions; by default a well-known one')
  .option('--settings <file>', 'a file of NAME=value lines, beside the environment')
  .option('--json', 'the whole report, for programs')
  .action((videos, options) =>
    print(async () => {
      const fileSettings = options.settings === undefined ? {} : readSettingsFile(options.settings);
      const settings = readProbeSettings({ ...process.env, ...fileSettings });
      const defaultVideo = settings.platform.isReal ? WELL_KNOWN.real : WELL_KNOWN.simulated;
      const report = await probe(settings, videos.length === 0 ? [defaultVideo] : videos);
      const text = options.json ? json({ ...report, advice: adviceFor(report) }) : printReport(report);
      return { text, isGood: delivers(report) };
    }),
  );

program
  .command('strategies')
  .description('Prints the built-in rows, to begin a PLATFORM_STRATEGIES_FILE with.')
  .action(() => print(async () => ({ text: json(defaultStrategies), isGood: true })));

await program.parseAsync();

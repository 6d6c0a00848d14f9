import { runInNewContext } from 'node:vm';
import type { EnvironmentContext, JestEnvironment, JestEnvironmentConfig } from '@jest/environment';
import { ModernFakeTimers } from '@jest/fake-timers';
import { TestEnvironment } from 'jest-environment-node';
import { ModuleMocker } from 'jest-mock';

const globalsFile = new URL('globals.ts', import.meta.url).href;

const world = globalThis as unknown as Record<string, unknown>;

/** `Error`, `Map` and whatever else the language has made for each world of its own. */
const languageClasses = (runInNewContext('Object.getOwnPropertyNames(globalThis)') as string[]).filter(
  (name) => /^[A-Z]/.test(name) && typeof world[name] === 'function',
);

/** An exit of this process would end the run, and exit code 0 would hide the remaining tests. */
const refuseToExit: typeof process.exit = (code) => {
  throw new Error(`process.exit(${code ?? ''}) was called in a test`);
};

/** Node names places by URLs, Jest shows paths; and `globals.ts` stands between a test and Jest. */
const showPaths = (error: Error): void => {
  const lines = (error.stack ?? '').split('\n').filter((line) => !line.includes(globalsFile));
  error.stack = lines.join('\n').replaceAll('file://', '');
};

/**
 * Tests run in the world of the process, Jest itself in one that it makes anew for each test file. Here is what the two have in
 * common: classes, so that `expect` knows an `Error` when it sees one, fake timers, mocks, and the console.
 */
export default class SharedEnvironment extends TestEnvironment {
  readonly #console = globalThis.console;
  readonly #exit = process.exit;

  constructor(config: JestEnvironmentConfig, context: EnvironmentContext) {
    super(config, context);
    for (const name of languageClasses) this.global[name] = world[name];
    this.fakeTimersModern = new ModernFakeTimers({ config: config.projectConfig, global: globalThis });
    this.moduleMocker = new ModuleMocker(globalThis);
  }

  override async setup(): Promise<void> {
    await super.setup();
    globalThis.console = this.global.console;
    process.exit = refuseToExit;
  }

  readonly handleTestEvent: NonNullable<JestEnvironment['handleTestEvent']> = (event) => {
    if (!('error' in event)) return;
    const { asyncError } = ('hook' in event && event.hook) || ('test' in event && event.test) || {};
    for (const error of [event.error, asyncError]) if (error instanceof Error) showPaths(error);
  };

  /** Also puts back the timers that a test file has left faked. */
  override async teardown(): Promise<void> {
    globalThis.console = this.#console;
    process.exit = this.#exit;
    await super.teardown();
  }
}

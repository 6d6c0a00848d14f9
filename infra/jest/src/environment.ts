import { runInNewContext } from 'node:vm';
import type { EnvironmentContext, JestEnvironment, JestEnvironmentConfig } from '@jest/environment';
import { ModernFakeTimers } from '@jest/fake-timers';
import { TestEnvironment } from 'jest-environment-node';
import { ModuleMocker } from 'jest-mock';

const world = globalThis as unknown as Record<string, unknown>;

/** `Error`, `Map` and whatever else the language has made for each world of its own. */
const languageClasses = (runInNewContext('Object.getOwnPropertyNames(globalThis)') as string[]).filter(
  (name) => /^[A-Z]/.test(name) && typeof world[name] === 'function',
);

/** What ends this process would end the run, and with 0 nobody would hear of the tests that were left. */
const refuseToExit: typeof process.exit = (code) => {
  throw new Error(`process.exit(${code ?? ''}) was called in a test`);
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

  /** Node names places by URLs, Jest shows paths. */
  readonly handleTestEvent: NonNullable<JestEnvironment['handleTestEvent']> = (event) => {
    if (!('error' in event) || !(event.error instanceof Error)) return;
    event.error.stack = event.error.stack?.replaceAll('file://', '') ?? '';
  };

  /** Also puts back the timers that a test file has left faked. */
  override async teardown(): Promise<void> {
    globalThis.console = this.#console;
    process.exit = this.#exit;
    await super.teardown();
  }
}

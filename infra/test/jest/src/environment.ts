import { setTimeout as delay } from 'node:timers/promises';
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

/** Output, and the clock of the event loop that `prom-client` never stops. */
const OWN_RESOURCES = /^(?:PipeWrap|TTYWrap|IntervalHistogram)$/;

/** Ten seconds: a closing takes its time on a busy machine. */
const MAX_LOOKS = 500;
const BETWEEN_LOOKS_MS = 20;

/** What keeps the process alive: sockets, servers, timers, processes. */
const listHeld = (): string[] => process.getActiveResourcesInfo().filter((kind) => !OWN_RESOURCES.test(kind));

/** What is held now and was not before. */
const listLeft = (before: readonly string[]): string[] => {
  const left = listHeld();
  for (const kind of before) if (left.includes(kind)) left.splice(left.indexOf(kind), 1);
  return left;
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
  readonly #held = listHeld();

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
    // A system that files share ends with the run.
    const isShared = Object.hasOwn(globalThis, Symbol.for('tds.test-kit.shared'));
    for (let look = 0; !isShared && listLeft(this.#held).length > 0; look += 1) {
      if (look === MAX_LOOKS)
        throw new Error(`This test file leaves open: ${listLeft(this.#held).join(', ')}.`);
      await delay(BETWEEN_LOOKS_MS);
    }
  }
}

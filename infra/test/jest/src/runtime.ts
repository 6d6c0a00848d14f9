import { writeFileSync } from 'node:fs';
import { createRequire, flushCompileCache, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import type * as Jest from '@jest/globals';
import { lend } from './globals.ts';

// Its types are those of its CommonJS half.
const { default: Runtime } = createRequire(import.meta.url)('jest-runtime') as typeof import('jest-runtime');

const globals = new URL('globals.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url: globals, shortCircuit: true } : next(specifier, context),
});

// A worker that dies between two test files is started anew by Jest, and the run would pass: its starter checks this mark.
const mark = process.env.TDS_TEST_MARK;
if (process.send && mark) process.prependListener('uncaughtException', () => writeFileSync(mark, ''));

// A worker has nothing to take apart: Node does so for longer than the half second that Jest gives it on a slow machine.
if (process.send)
  process.on('exit', () => {
    flushCompileCache();
    process.kill(process.pid, 'SIGKILL');
  });

/** Node itself loads tests and what they import, as it loads the services: types stripped, code cached, each module once. */
export default class NodeRuntime extends Runtime {
  override unstable_shouldLoadAsEsm(): boolean {
    return true;
  }

  override async unstable_importModule(file: string): Promise<void> {
    lend(this.requireModuleOrMock<typeof Jest>(file, '@jest/globals'));
    await import(pathToFileURL(file).href);
  }
}

import path from 'node:path';
import type { Reporter, Test, TestResult } from '@jest/reporters';
import { noteFailure } from './failed-files.ts';

const root = path.resolve(import.meta.dirname, '../../../..');

/** Writes down which files fail, by which titles, for `npm test`, which repeats them alone. */
export default class FailuresReporter implements Pick<Reporter, 'onTestResult'> {
  onTestResult(test: Test, { testResults, testExecError, numFailingTests }: TestResult): void {
    if (numFailingTests === 0 && !testExecError) return;
    const titles = testResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
    noteFailure({ file: path.relative(root, test.path), titles, run: process.env.TDS_TEST_MARK });
  }
}

import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';

const run = (...words: string[]) => {
  const file = path.join(import.meta.dirname, 'test-support/example-command.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...words], { encoding: 'utf8' });
  return { status, stdout, stderr };
};

describe('what is typed after a command', () => {
  it('is read with its types, and has its default if nothing is typed', () => {
    expect(JSON.parse(run().stdout)).toEqual({ rounds: 5, names: [] });
    expect(JSON.parse(run('--rounds', '7', '--keep', 'one', 'two').stdout)).toEqual({
      rounds: 7,
      keep: true,
      names: ['one', 'two'],
    });
  });

  it('is listed with --help, which does nothing else', () => {
    const { status, stdout } = run('--help');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^Usage: npm run example -- \[options\] \[names\.\.\.\]/);
    expect(stdout).toMatch(/--rounds <count> +how often \(default: 5\)/);
  });

  it.each([
    [['--round', '7'], "unknown option '--round'"],
    [['--rounds', 'many'], 'whole number'],
    [['--rounds', '-1'], 'whole number'],
    [['--rounds'], 'argument missing'],
  ])('ends the command with a sentence if it is %j', (words, sentence) => {
    const { status, stdout, stderr } = run(...words);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(sentence);
    expect(stderr).toContain('--help lists what there is.');
    expect(stderr).not.toContain(' at ');
  });
});

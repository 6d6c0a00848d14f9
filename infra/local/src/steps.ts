/** Prints a step and, when the returned function is called, its duration; without a terminal on a line each. */
export function sayStep(title: string): () => void {
  const startedAt = performance.now();
  const isTerminal = process.stderr.isTTY;
  process.stderr.write(`  … ${title}${isTerminal ? '' : '\n'}`);
  return () => {
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    process.stderr.write(`${isTerminal ? '\r' : ''}  ✓ ${title} (${seconds} s)\n`);
  };
}

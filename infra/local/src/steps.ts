/** Says what is being done and, when the returned function is called, how long it took. */
export function sayStep(title: string): () => void {
  const startedAt = performance.now();
  const isTerminal = process.stderr.isTTY;
  if (isTerminal) process.stderr.write(`  … ${title}`);
  return () => {
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    process.stderr.write(`${isTerminal ? '\r' : ''}  ✓ ${title} (${seconds} s)\n`);
  };
}

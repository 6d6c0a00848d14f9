/** Everything that the gateway does for a cached read. A benchmark with one of them missing is not one. */
export type Feature = { readonly name: string; readonly isActive: boolean };

/** Throws where a promised feature was not seen at work; answers what was seen. */
export const assertFeatures = (features: readonly Feature[]): string => {
  const missing = features.filter(({ isActive }) => !isActive).map(({ name }) => name);
  if (missing.length > 0) throw new Error(`not active: ${missing.join(', ')}`);
  return `Active on our side and asserted: ${features.map(({ name }) => name).join(', ')}.`;
};

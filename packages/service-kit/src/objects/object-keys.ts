const keyPattern = /^[A-Za-z0-9][\w.=+-]*(?:\/[\w.=+-]+)*$/;
const LONGEST_KEY = 512;

/** Letters, digits and `_ . = + -` in parts divided by `/`. Throws for anything else: keys are made by us. */
export const assertObjectKey = (key: string): void => {
  const isTraversal = key.split('/').some((part) => part === '.' || part === '..');
  if (key.length > LONGEST_KEY || isTraversal || !keyPattern.test(key)) {
    throw new TypeError(`not an object key: ${JSON.stringify(key.slice(0, LONGEST_KEY))}`);
  }
};

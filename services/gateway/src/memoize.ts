/** Computes a value once per object and keeps it as long as the object lives. */
export const memoize = <Key extends object, Value extends object | string | null>(
  work: (key: Key) => Value,
): ((key: Key) => Value) => {
  const known = new WeakMap<Key, Value>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const value = work(key);
    known.set(key, value);
    return value;
  };
};

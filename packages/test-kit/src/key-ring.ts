/** What services under test that share one are given as `KEY_RING`. */
export const KEY_RING = 'tests:key-ring-of-the-tests-0123456789abcdef';

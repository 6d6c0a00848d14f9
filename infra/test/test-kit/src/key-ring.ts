/** The `KEY_RING` of services under test. */
export const KEY_RING = 'tests:key-ring-of-the-tests-0123456789abcdef';

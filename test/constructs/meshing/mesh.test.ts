import { hasNativeSidecars } from '#lib/constructs/meshing/mesh';

test.each([
  ['edge-26.8.3', undefined, true],
  ['edge-26.8.3', false, false],
  ['edge-26.5.2', undefined, true],
  ['edge-26.5.1', undefined, false],
  ['stable-2.14.10', undefined, false],
] as const)(
  'hasNativeSidecars, for release %s and nativeSidecars: %s of the control plane, is %s',
  (version, nativeSidecars, expected) => expect(hasNativeSidecars({ release: version, nativeSidecars })).toBe(expected),
);

import type { Values as Edge2510 } from '#imports/charts/linkerd-control-plane/edge-25.10.7';
import type { Values as Edge265 } from '#imports/charts/linkerd-control-plane/edge-26.5.1';
import type { Values as Edge268 } from '#imports/charts/linkerd-control-plane/edge-26.8.3';
import type { Values as Stable } from '#imports/charts/linkerd-control-plane/stable-2.14.10';
import type { ControlPlaneValues } from '#linkerd/releases/chart-values';
import { CONTROL_PLANE } from '#linkerd/releases/groups/control-plane';
import type { RELEASES } from '#linkerd/releases/known-releases';

type Row = (typeof RELEASES)[number];
type Group<V> = Extract<Row, readonly [V, ...(string | null)[]]>[3];

/** The imported types of values by release. */
interface Imported {
  'edge-26.8.3': Edge268;
  'edge-26.5.1': Edge265;
  'edge-25.10.7': Edge2510;
  'stable-2.14.10': Stable;
}

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Releases with another type of values than their group. */
type Wrong = {
  [V in Row[0]]: ControlPlaneValues<V> extends infer Values
    ? Same<Values, Imported[(typeof CONTROL_PLANE)[Group<V>]['values']]> extends true
      ? never
      : V
    : never;
}[Row[0]];

test('ControlPlaneValues of each release is the type of its group', () => {
  const wrong: readonly Wrong[] = [];
  const none: readonly never[] = wrong;
  expect(none).toEqual([]);
  const imported = new Set(Object.values(CONTROL_PLANE).map(({ values }) => values));
  expect([...imported].sort()).toEqual(['edge-25.10.7', 'edge-26.5.1', 'edge-26.8.3', 'stable-2.14.10']);
});

import { type Churn, startChurn } from '../../support/anchor/churn';
import { type MeshWatch, watchMesh } from '../../support/anchor/mesh-watch';
import type { AnchoredMesh } from './anchored-mesh';

/** Replaces pods of a mesh all through each test of a file, and expects that every pair of proxies trusts each other. */
export function underChurn(meshOf: () => AnchoredMesh): void {
  let churn: Churn;
  let watch: MeshWatch;
  beforeEach(() => {
    churn = startChurn(meshOf().cluster, { namespaces: ['shop', 'linkerd'], seed: 7, intervalMs: 700 });
    watch = watchMesh(meshOf());
  });
  afterEach(async () => {
    await churn.stop();
    await watch.stop();
    expect(watch.failures()).toEqual([]);
  });
}

import { emptyCluster, type OwnCluster } from '../../support/cluster/cluster';
import { createOperatedMesh, type OperatedMesh } from '../../support/operator/operated-mesh';
import { type PermittedOperator, permittedOperator } from './permitted-operator';

/** A cluster of a test file's own, and an operator in it whose permissions can be taken away. */
interface PermittedMesh {
  cluster(): OwnCluster;
  mesh(): OperatedMesh;
  operator(): PermittedOperator;
}

/**
 * Makes a cluster before the tests of a file, and gives all permissions back after each test. The operator looks after
 * all of a cluster: what others leave in a shared one would be its business, too.
 */
export function usePermittedMesh(): PermittedMesh {
  let cluster: OwnCluster;
  let mesh: OperatedMesh;
  let operator: PermittedOperator;
  beforeAll(async () => {
    cluster = await emptyCluster();
    mesh = await createOperatedMesh(cluster);
    operator = permittedOperator(mesh);
  });
  afterEach(() => operator.restore());
  afterAll(async () => {
    await mesh?.stop();
    await cluster?.stop();
  });
  return { cluster: () => cluster, mesh: () => mesh, operator: () => operator };
}

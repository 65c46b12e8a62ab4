import { emptyCluster, type OwnCluster } from '../../support/cluster/cluster';
import { createOperatedMesh, type OperatedMesh } from '../../support/operator/operated-mesh';
import { type PermittedOperator, permittedOperator } from './permitted-operator';

/** A cluster for one test file with an operator whose permissions can be revoked. */
interface PermittedMesh {
  cluster(): OwnCluster;
  mesh(): OperatedMesh;
  operator(): PermittedOperator;
}

/**
 * Starts a cluster before the tests of a file, and restores all permissions after each test. The operator serves a
 * whole cluster: in a shared one, objects of other tests would trigger requests.
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

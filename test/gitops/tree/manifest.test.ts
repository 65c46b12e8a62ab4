import { App, Chart, Testing } from 'cdk8s';
import { manifest } from '#lib/gitops/tree/manifest';

const chartOf = (namespace?: string) => new Chart(new App(), 'chart', { namespace });
const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'reader' } };

describe('manifest', () => {
  it('gives no namespace to a cluster-scoped object in a chart with a namespace', () => {
    const chart = chartOf('somewhere');
    manifest(chart, 'role', role);
    expect(Testing.synth(chart)[0].metadata).toEqual({ name: 'reader' });
  });
});

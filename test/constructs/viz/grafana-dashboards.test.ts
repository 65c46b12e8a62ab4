import { valueAt } from '#base/values';
import { grafanaDashboardValues } from '#lib/constructs/viz/grafana-dashboards';

describe('grafanaDashboardValues', () => {
  it('loads every dashboard of Linkerd once, at a fixed revision', () => {
    const dashboards = Object.values(valueAt(grafanaDashboardValues(), 'dashboards.linkerd') ?? {});
    expect(dashboards).toHaveLength(18);
    expect(new Set(dashboards.map(({ gnetId }) => gnetId)).size).toBe(18);
    for (const { revision, datasource } of dashboards) {
      expect(revision).toBeGreaterThan(0);
      expect(datasource).toBe('Prometheus');
    }
  });

  it('has a provider for the folder of its dashboards', () => {
    const { dashboardProviders, dashboards } = grafanaDashboardValues({ folder: 'mesh', datasource: 'thanos' });
    expect(dashboardProviders).toMatchObject({
      'mesh.yaml': { providers: [{ folder: 'mesh', options: { path: '/var/lib/grafana/dashboards/mesh' } }] },
    });
    expect(dashboards).toMatchObject({ mesh: { 'top-line': { gnetId: 15474, datasource: 'thanos' } } });
  });
});

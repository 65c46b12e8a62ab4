import { certificatesDashboard } from '#lib/constructs/monitoring/dashboards/certificates';
import { type Dashboard, dashboardJson } from '#lib/constructs/monitoring/dashboards/dashboard';
import { meshDashboard } from '#lib/constructs/monitoring/dashboards/mesh';
import { operatorDashboard } from '#lib/constructs/monitoring/dashboards/operator';
import { checkRules } from '../../support/promtool';

interface Place {
  readonly h: number;
  readonly w: number;
  readonly x: number;
  readonly y: number;
}

interface Model {
  readonly uid: string;
  readonly title: string;
  readonly schemaVersion: number;
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] };
  readonly panels: readonly {
    readonly id: number;
    readonly type: string;
    readonly title: string;
    readonly gridPos: Place;
    readonly datasource?: object;
    readonly targets?: readonly { readonly refId: string; readonly expr: string; readonly datasource: object }[];
  }[];
}

const DASHBOARDS: readonly Dashboard[] = [
  meshDashboard('linkerd'),
  certificatesDashboard('linkerd', true),
  operatorDashboard('linkerd-reconciler'),
];

function modelOf(dashboard: Dashboard): Model {
  return JSON.parse(dashboardJson(dashboard)) as Model;
}

const overlap = (a: Place, b: Place) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

describe.each(DASHBOARDS.map((dashboard) => [dashboard.title, dashboard] as const))('dashboard %s', (_, dashboard) => {
  const model = modelOf(dashboard);
  const queries = model.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

  test('is the same each time, and has an identifier that Grafana accepts', () => {
    expect(dashboardJson(dashboard)).toBe(dashboardJson(dashboard));
    // grafana, pkg/util/shortid_generator.go
    expect(model.uid).toMatch(/^[a-zA-Z0-9_-]{8,40}$/);
  });

  test('numbers its panels, and puts them side by side', () => {
    const ids = model.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [index, { gridPos }] of model.panels.entries()) {
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
      for (const other of model.panels.slice(index + 1)) {
        expect([gridPos, other.gridPos, overlap(gridPos, other.gridPos)]).toEqual([gridPos, other.gridPos, false]);
      }
    }
  });

  test('queries the data source that the user chooses', () => {
    expect(model.templating.list[0]).toMatchObject({ name: 'datasource', type: 'datasource', query: 'prometheus' });
    for (const { type, datasource, targets = [] } of model.panels) {
      if (type === 'row') continue;
      const chosen = { type: 'prometheus', uid: '${datasource}' };
      expect(datasource).toEqual(chosen);
      expect(targets.map((target) => target.datasource)).toEqual(targets.map(() => chosen));
      expect(targets.length).toBeGreaterThan(0);
    }
  });

  test('contains only queries that Prometheus parses', () => {
    expect(queries.length).toBeGreaterThan(5);
    const rules = queries.map((expr, index) => ({
      record: `query:${index}`,
      expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$namespace', '.*'),
    }));
    expect(checkRules([{ name: 'queries', rules }])).toBe('');
  });

  test('uses only variables that it defines', () => {
    const known = new Set(['__rate_interval', ...model.templating.list.map(({ name }) => name)]);
    const used = queries.flatMap((expr) => [...expr.matchAll(/\$(\w+)/g)].map(([, name = '']) => name));
    expect(used.filter((name) => !known.has(name))).toEqual([]);
  });
});

test('dashboards have different identifiers and titles', () => {
  expect(new Set(DASHBOARDS.map(({ uid }) => uid)).size).toBe(3);
  expect(new Set(DASHBOARDS.map(({ title }) => title)).size).toBe(3);
});

test('without an operator, certificates are shown without a rotation', () => {
  const queries = dashboardJson(certificatesDashboard('linkerd', false));
  expect(queries).not.toContain('linkerd_trust_anchor');
  expect(queries).toContain('certmanager_certificate_expiration_timestamp_seconds');
});

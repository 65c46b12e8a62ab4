/** A query of a panel. */
export interface Query {
  readonly expr: string;
  /** Name of each series, with its labels as `{{label}}`. */
  readonly legend: string;
}

/** A panel without its position. */
export interface Panel {
  readonly title: string;
  readonly description?: string;
  readonly kind: 'timeseries' | 'stat' | 'state-timeline' | 'bargauge';
  /** Grafana's name of a unit: `reqps`, `s`, `percentunit`, `short`. */
  readonly unit: string;
  readonly queries: readonly Query[];
  /** Width in Grafana's 24 columns. */
  readonly width: number;
}

/** A row of panels under a title. */
export interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}

interface Variable {
  readonly name: string;
  readonly label: string;
  readonly query: string;
}

/** A dashboard. */
export interface Dashboard {
  /** Identifier, which is part of its URL. */
  readonly uid: string;
  readonly title: string;
  readonly variables: readonly Variable[];
  readonly rows: readonly Row[];
}

/**
 * Version of the schema of dashboards: that of Grafana 11. Later releases migrate it when they load a dashboard
 * (grafana, kinds/dashboard/dashboard_kind.cue).
 */
const SCHEMA_VERSION = 39;

const COLUMNS = 24;
const PANEL_HEIGHT = 8;

/** The data source that the user chooses; at first Grafana's default data source of type Prometheus. */
const DATASOURCE = { type: 'prometheus', uid: '${datasource}' } as const;

/** Returns a dashboard in Grafana's JSON. */
export function dashboardJson({ uid, title, variables, rows }: Dashboard): string {
  const model = {
    uid,
    title,
    tags: ['linkerd'],
    schemaVersion: SCHEMA_VERSION,
    editable: false,
    graphTooltip: 1,
    refresh: '1m',
    time: { from: 'now-6h', to: 'now' },
    timezone: 'browser',
    annotations: { list: [] },
    links: [
      { title: 'Linkerd', type: 'dashboards', tags: ['linkerd'], asDropdown: true, includeVars: false, keepTime: true },
    ],
    templating: { list: [datasourceVariable(), ...variables.map(queryVariable)] },
    panels: placed(rows),
  };
  return `${JSON.stringify(model, null, 2)}\n`;
}

function datasourceVariable(): object {
  return { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus', hide: 0, refresh: 1 };
}

function queryVariable({ name, label, query }: Variable): object {
  return {
    name,
    label,
    type: 'query',
    datasource: DATASOURCE,
    query: { query, refId: name },
    definition: query,
    includeAll: true,
    multi: true,
    allValue: '.*',
    current: { selected: true, text: ['All'], value: ['$__all'] },
    hide: 0,
    refresh: 2,
    sort: 1,
  };
}

function placed(rows: readonly Row[]): readonly object[] {
  const models: object[] = [];
  let y = 0;
  for (const { title, panels } of rows) {
    models.push({
      id: models.length + 1,
      type: 'row',
      title,
      collapsed: false,
      gridPos: { h: 1, w: COLUMNS, x: 0, y },
      panels: [],
    });
    y += 1;
    let x = 0;
    for (const panel of panels) {
      if (x + panel.width > COLUMNS) {
        x = 0;
        y += PANEL_HEIGHT;
      }
      models.push(panelModel(panel, models.length + 1, { h: PANEL_HEIGHT, w: panel.width, x, y }));
      x += panel.width;
    }
    y += PANEL_HEIGHT;
  }
  return models;
}

function panelModel({ title, description, kind, unit, queries }: Panel, id: number, gridPos: object): object {
  const isInstant = kind === 'stat' || kind === 'bargauge';
  return {
    id,
    type: kind,
    title,
    ...(description !== undefined && { description }),
    datasource: DATASOURCE,
    gridPos,
    fieldConfig: {
      defaults: {
        unit,
        ...(kind === 'timeseries' && {
          // A remaining lifetime is negative after the expiry.
          ...(unit !== 's' && { min: 0 }),
          custom: { fillOpacity: 10, showPoints: 'never' },
        }),
      },
      overrides: [],
    },
    options: OPTIONS[kind],
    targets: queries.map(({ expr, legend }, index) => ({
      datasource: DATASOURCE,
      refId: String.fromCharCode('A'.charCodeAt(0) + index),
      expr,
      legendFormat: legend,
      ...(isInstant ? { instant: true, range: false } : { instant: false, range: true }),
    })),
  };
}

const LAST = { calcs: ['lastNotNull'], fields: '', values: false } as const;

const OPTIONS: Readonly<Record<Panel['kind'], object>> = {
  timeseries: {
    legend: { displayMode: 'list', placement: 'bottom', showLegend: true },
    tooltip: { mode: 'multi', sort: 'desc' },
  },
  stat: { reduceOptions: LAST, colorMode: 'none', graphMode: 'none', textMode: 'auto' },
  'state-timeline': { showValue: 'never', mergeValues: true, legend: { showLegend: false } },
  bargauge: { reduceOptions: LAST, orientation: 'horizontal', displayMode: 'basic' },
};

/** Returns a panel of lines over time. */
export function lines(title: string, unit: string, ...queries: readonly Query[]): Panel {
  return { title, kind: 'timeseries', unit, queries, width: COLUMNS / 2 };
}

/** Returns a panel that shows one number. */
export function number(title: string, unit: string, expr: string): Panel {
  return { title, kind: 'stat', unit, queries: [{ expr, legend: '' }], width: COLUMNS / 6 };
}

/** Returns the query of a quantile of a histogram, grouped by labels. */
export function quantile(share: number, metric: string, by: readonly string[], legend: string): Query {
  const rate = `sum by (${[...by, 'le'].join(', ')}) (rate(${metric}[$__rate_interval]))`;
  return { expr: `histogram_quantile(${share}, ${rate})`, legend };
}

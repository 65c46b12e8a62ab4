import { isObject } from '../../kubernetes/select-fields';

/**
 * The result of `npm run conformance -- --chart DIR --record FILE`: a comparison of a release's charts with the
 * renderers.
 */
export interface ConformanceRecord {
  /** The release whose charts Helm rendered. */
  readonly release: string;
  /** The known release with whose renderers they were compared. */
  readonly like: string;
  /** The compared charts, by name. */
  readonly charts: Readonly<Record<string, ChartConformance>>;
}

/** The result for one chart. */
export interface ChartConformance {
  /** SHA-256 of the chart's files. */
  readonly sha256: string;
  /** Number of compared renders. */
  readonly variants: number;
  /** Number of renders with unintended differences. */
  readonly different: number;
}

/** The charts whose templates the library renders, for releases that use those of others. */
const CHARTS = ['linkerd-control-plane', 'linkerd-viz', 'linkerd2-cni'];

/** Returns the charts that a record does not prove equal to those of the known release. */
export function chartsUnproven(
  release: string,
  like: string,
  record: ConformanceRecord | undefined,
): readonly string[] {
  // Records are read from files, which may not match the type.
  if (!isObject(record) || record.release !== release || record.like !== like) return CHARTS;
  const { charts } = record;
  if (!isObject(charts)) return CHARTS;
  return CHARTS.filter((name) => {
    const chart = Object.hasOwn(charts, name) ? charts[name] : undefined;
    return !isObject(chart) || chart.different !== 0 || !(Number(chart.variants) > 0);
  });
}

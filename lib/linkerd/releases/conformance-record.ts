import { isObject } from '../../kubernetes/select-fields';

/** The result of `npm run conformance -- --chart DIR --record FILE`: how a release's charts compare with the renderers. */
export interface ConformanceRecord {
  /** The release whose charts were rendered by Helm. */
  readonly release: string;
  /** The known release whose renderers they were compared with. */
  readonly like: string;
  /** The charts that were compared, by name. */
  readonly charts: Readonly<Record<string, ChartConformance>>;
}

/** The result for one chart. */
export interface ChartConformance {
  /** SHA-256 of the chart's files. */
  readonly sha256: string;
  /** Number of renders that were compared. */
  readonly variants: number;
  /** Number of renders that differ, other than on purpose. */
  readonly different: number;
}

/** The charts whose templates the library knows, of releases that are taken for others. */
const CHARTS = ['linkerd-control-plane', 'linkerd-viz', 'linkerd2-cni'];

/** Returns the charts of which a record does not tell that they are rendered as those of the known release. */
export function chartsUnproven(
  release: string,
  like: string,
  record: ConformanceRecord | undefined,
): readonly string[] {
  // Records are read from files: what is there is not always what the type says.
  if (!isObject(record) || record.release !== release || record.like !== like) return CHARTS;
  const { charts } = record;
  if (!isObject(charts)) return CHARTS;
  return CHARTS.filter((name) => {
    const chart = Object.hasOwn(charts, name) ? charts[name] : undefined;
    return !isObject(chart) || chart.different !== 0 || !(Number(chart.variants) > 0);
  });
}

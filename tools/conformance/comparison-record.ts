import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { ChartConformance, ConformanceRecord } from '../../lib/linkerd/releases/conformance-record';
import library from '../../package.json';

/** A record with the version of the library whose renderers it is about. */
type LibraryRecord = ConformanceRecord & { readonly library: string };

/** Adds a chart to the record in a file; what that says of other releases or of another library is replaced. */
export function recordComparison(
  file: string,
  { like, release }: Pick<ConformanceRecord, 'like' | 'release'>,
  chart: ChartConformance & { readonly name: string },
): void {
  const { name, ...compared } = chart;
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as LibraryRecord) : undefined;
  const isSame = before?.library === library.version && before.like === like && before.release === release;
  const charts = Object.entries({ ...(isSame ? before.charts : {}), [name]: compared });
  const record: LibraryRecord = {
    library: library.version,
    like,
    release,
    charts: Object.fromEntries(charts.sort(([one], [other]) => (one < other ? -1 : 1))),
  };
  writeFileSync(file, `${JSON.stringify(record, null, 2)}\n`);
}

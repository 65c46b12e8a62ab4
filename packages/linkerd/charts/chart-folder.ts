import { ChartError } from '#helm/chart/chart-error';
import type { OpenedChart } from '#helm/chart/open-chart';
import { part } from '#kubernetes/options/known-keys';
import { folderFault } from './chart-faults';
import { publishedDigest } from './published-digests';

/**
 * Charts that are rendered at synth: a folder of archives, each pinned by its digest in the lock file
 * `charts.lock.yaml`. `cdk8s-linkerd charts pull` writes both.
 */
export class ChartFolder {
  /**
   * Returns the folder at a path, relative to the working directory. Its charts are read when they are used.
   */
  static at(path: string): ChartFolder {
    return new ChartFolder(path);
  }

  private readonly opened = new Map<string, OpenedChart | undefined>();

  private constructor(readonly path: string) {}

  /**
   * Returns a chart, which is read once; undefined if the lock file does not name it.
   *
   * @throws ChartError if there is no lock file, or the archive is missing or damaged, or has another digest
   *   than the lock file or the publisher states
   *
   * @internal
   */
  open({ name, version }: { readonly name: string; readonly version: string }): OpenedChart | undefined {
    const key = `${name}@${version}`;
    if (!this.opened.has(key)) {
      const { openChart } = require('#helm/chart/open-chart') as typeof import('#helm/chart/open-chart');
      const opened = openChart(this.path, name, version);
      if (opened !== undefined) checkPublished({ name, version }, opened.digest);
      this.opened.set(key, opened);
    }
    return this.opened.get(key);
  }
}

/** Compares the archive of a chart with the published digest, if known: an attacker may change the lock file, too. */
function checkPublished(chart: { readonly name: string; readonly version: string }, digest: string): void {
  const published = publishedDigest(chart);
  if (published === undefined || published === digest) return;
  throw new ChartError({
    chart: chart.name,
    ...folderFault('archive-not-published', { digest, name: chart.name, version: chart.version, published }),
  });
}

/** A ChartFolder, of any copy of the library. */
export const CHARTS = part('a ChartFolder', 'open', 'path');

import type { Chart } from '#helm/chart/chart';
import type { KubernetesObject } from '../../kubernetes/kubernetes-object';
import type { FoundChart } from './charts-in-files';
import type { FoundObject, ReadFile } from './read-file';
import type { NotRead } from './unread';

/** A folder with a Chart.yaml. */
export interface ChartAt {
  readonly folder: string;
  /** The chart, or why there is none. */
  readonly chart: Chart | string;
  /** The text of its values.yaml. */
  readonly values: string;
}

/** An object, and the place from which it is applied, if that is not its file. */
export interface AppliedObject extends FoundObject {
  readonly at?: string;
}

/** What files, folders and streams contain. */
export interface ReadFiles extends Pick<ReadFile, 'problems'> {
  readonly objects: readonly AppliedObject[];
  readonly skipped: readonly NotRead[];
  readonly charts: readonly FoundChart[];
  /** Objects that kustomizations generate, as far as their data is in these files. */
  readonly generated: readonly KubernetesObject[];
}

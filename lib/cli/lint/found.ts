import type { Chart } from '#helm/chart/chart';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import type { Reference } from '#kubernetes/objects/references';
import type { FoundObject } from '../repository/documents';
import type { ReadFile } from '../repository/read-file';
import type { RepositoryFiles } from '../repository/repository-files';
import type { FoundChart } from './charts-in-files';
import type { NotRead } from './unread';
import type { FoundValues } from './values-files';

/** A folder with a Chart.yaml. */
export interface ChartAt {
  readonly folder: string;
  /** The chart, or why it cannot be read. */
  readonly chart: Chart | string;
  /** The text of the chart's values.yaml. */
  readonly values: string;
  /**
   * Its other values files, by their paths.
   *
   * @default - none
   */
  readonly overrides?: ReadonlyMap<string, string>;
}

/** An object, and how a kustomization applies it. */
export interface AppliedObject extends FoundObject {
  /** The place from which the object is applied, if different from its file. */
  readonly at?: string;
  /** The object's name with the prefixes and suffixes of kustomizations; absent without any. */
  readonly renamed?: string;
  /** ConfigMaps and Secrets that the object's kustomization generates, if these files contain their data. */
  readonly beside?: readonly KubernetesObject[];
  /** Whether the object is checked alone, because the objects that are applied with it are unknown. */
  readonly isAlone?: boolean;
}

/** The contents of files, folders and streams. */
export interface ReadFiles extends Pick<ReadFile, 'problems'> {
  readonly objects: readonly AppliedObject[];
  readonly skipped: readonly NotRead[];
  readonly charts: readonly FoundChart[];
  /** Values files of charts of Linkerd. */
  readonly values: readonly FoundValues[];
  /** Objects that kustomizations generate. */
  readonly generated: readonly Reference[];
  /** The files to which objects refer. */
  readonly repository: RepositoryFiles;
}

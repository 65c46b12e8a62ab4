import type { ChartFile } from './chart';
import { documentOf, type Manifest, splitManifests } from './manifests';
import { fullPath, type WorkingChart } from './working-chart';

/** A file in `crds/`. Its content is no template. */
export interface CrdFile {
  /** Its path: `chart/crds/crd.yaml`. */
  readonly source: string;
  readonly text: string;
  readonly manifests: () => readonly Manifest[];
}

/** Returns the files in `crds/` of a chart, then those of its dependencies. */
export function crdFiles(chart: WorkingChart): readonly CrdFile[] {
  const own = chart.source.files
    .filter(({ name }) => name.startsWith('crds/') && /\.(?:ya?ml|json)$/i.test(name))
    .map((file) => crdFile(`${fullPath(chart)}/${file.name}`, file));
  return [...own, ...chart.dependencies.flatMap(crdFiles)];
}

function crdFile(source: string, { data }: ChartFile): CrdFile {
  const text = new TextDecoder().decode(data);
  return {
    source,
    text,
    manifests: () =>
      splitManifests(text).map((document) => ({
        source,
        kind: 'CustomResourceDefinition',
        value: documentOf({ source, ...document }),
        ...document,
      })),
  };
}

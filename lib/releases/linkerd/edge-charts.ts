/** The places of the charts of edge releases. */
export const EDGE_REPOSITORY = 'https://helm.linkerd.io/edge';

/** The versions of an edge release's charts: all of edge-YY.M.N have version 20YY.M.N. */
export function edgeCharts(version: string): Readonly<Record<'crds' | 'cni' | 'controlPlane' | 'viz', string>> {
  const chart = version.replace(/^edge-/, '20');
  return { crds: chart, cni: chart, controlPlane: chart, viz: chart };
}

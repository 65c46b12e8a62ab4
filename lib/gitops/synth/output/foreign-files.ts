/** Extensions that Argo CD's directories and `kubectl apply -f` read. */
const MANIFEST = /\.(?:ya?ml|json|jsonnet)$/i;
/** Names that make Argo CD treat a folder as something other than plain manifests, or change how it reads them. */
const SPECIAL = /^(?:kustomization|Chart\.lock|requirements\.lock|\.helmignore)$/i;
/** Directories that Helm renders, applies, or reads as subcharts. */
const CHART_DIRECTORY = /^(?:templates|crds|charts)\//;

/**
 * Returns the foreign files that would be applied with the output: those that Argo CD reads in the namespace folders,
 * or that `kubectl apply -f` reads among Argo CD's own objects.
 *
 * @param present paths, in the folder, of all files that the library neither wrote nor needs
 * @param wanted paths of the needed files
 * @param vendored paths of the allowed packed charts: dependencies of the umbrella charts next to them
 */
export function appliedForeignFiles(
  present: readonly string[],
  wanted: readonly string[],
  vendored: ReadonlySet<string> = new Set(),
): readonly string[] {
  const isFlat = wanted.some((path) => !path.includes('/'));
  const charts = new Set(
    [...wanted, ...present].filter((path) => /^[^/]+\/Chart\.yaml$/.test(path)).map((path) => rootOf(path)),
  );
  const roots = new Set(wanted.map(rootOf));
  return present.filter((path) => {
    if (vendored.has(path)) return false;
    if (!path.includes('/')) return isFlat && MANIFEST.test(path);
    if (isFlat) return false;
    // The generator makes an Application of every folder except hidden ones.
    if (!roots.has(rootOf(path))) return !path.startsWith('.');
    return isRead(path.slice(rootOf(path).length + 1), charts.has(rootOf(path)));
  });
}

function isRead(path: string, isChart: boolean): boolean {
  if (path.includes('/')) return isChart && CHART_DIRECTORY.test(path);
  return MANIFEST.test(path) || SPECIAL.test(path);
}

function rootOf(path: string): string {
  return path.slice(0, path.indexOf('/'));
}

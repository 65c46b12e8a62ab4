import type { Problem } from '#base/findings/problem';
import { checkDnsLabel } from '#kubernetes/names';
import { type ApplicationFolder, folderPath } from './application-folder';
import { ARGOCD_FINDINGS } from './findings';

/** The maximum length of a label value, because Argo CD's tracking label contains the Application's name. */
const MAX_APPLICATION_NAME = 63;

/** helm.sh/helm/v3/pkg/chartutil/validate_name.go, maxReleaseNameLen. */
const MAX_RELEASE_NAME = 53;

function applicationName({ cluster, namespace }: ApplicationFolder): string {
  return `${cluster}-${namespace}`;
}

/** Reports folder names that would result in invalid or duplicate names of Applications and Helm releases. */
export function checkApplicationNames(folders: readonly ApplicationFolder[]): readonly Problem[] {
  return [
    ...[...new Set(folders.map(({ namespace }) => namespace))].flatMap((name) => checkDnsLabel('namespace', name)),
    ...folders.flatMap(checkLengths),
    ...checkCollisions(folders),
  ];
}

function checkLengths(folder: ApplicationFolder): readonly Problem[] {
  const { cluster, namespace, chart } = folder;
  const name = applicationName(folder);
  const excess = name.length - MAX_APPLICATION_NAME;
  const problems: Problem[] = [];
  if (excess > 0) {
    problems.push(
      ARGOCD_FINDINGS.nameTooLongApplication({
        folder: folderPath(folder),
        name,
        length: name.length,
        most: MAX_APPLICATION_NAME,
        cluster,
        namespace,
        excess,
      }),
    );
  }
  if (chart === true && namespace.length > MAX_RELEASE_NAME) {
    problems.push(
      ARGOCD_FINDINGS.nameTooLongHelmRelease({
        folder: folderPath(folder),
        name: namespace,
        length: namespace.length,
        most: MAX_RELEASE_NAME,
        excess: namespace.length - MAX_RELEASE_NAME,
      }),
    );
  }
  return problems;
}

function checkCollisions(folders: readonly ApplicationFolder[]): readonly Problem[] {
  const byName = new Map<string, ApplicationFolder>();
  const problems: Problem[] = [];
  for (const folder of folders) {
    const name = applicationName(folder);
    const other = byName.get(name);
    if (other === undefined) byName.set(name, folder);
    else {
      problems.push(
        ARGOCD_FINDINGS.applicationNameCollision({ one: folderPath(other), other: folderPath(folder), name }),
      );
    }
  }
  return problems;
}

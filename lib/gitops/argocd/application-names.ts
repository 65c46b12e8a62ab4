import type { Problem } from '../../kubernetes/findings/problem';
import { checkDnsLabel } from '../../kubernetes/names';
import { type ApplicationFolder, folderPath } from './application-folder';

/** The longest value of a label, which Argo CD's tracking label makes of the Application's name. */
const MAX_APPLICATION_NAME = 63;

/** helm.sh/helm/v3/pkg/chartutil/validate_name.go, maxReleaseNameLen. */
const MAX_RELEASE_NAME = 53;

/** The name of a folder's Application. */
function applicationName({ cluster, namespace }: ApplicationFolder): string {
  return `${cluster}-${namespace}`;
}

/**
 * Reports what of the folders' names would make bad names of Applications and Helm releases, or the same name twice.
 */
export function checkApplicationNames(folders: readonly ApplicationFolder[]): readonly Problem[] {
  return [
    ...[...new Set(folders.map(({ namespace }) => namespace))].flatMap((name) => checkDnsLabel('A namespace', name)),
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
    problems.push({
      code: 'application-name-too-long',
      what: `The Application of ${folderPath(folder)} would be "${name}", ${name.length} characters long`,
      why: `Argo CD marks what it deploys with a label of that value, which has at most ${MAX_APPLICATION_NAME} characters`,
      fix: `make the name of the cluster (${cluster}) or of the namespace (${namespace}) ${excess} characters shorter`,
    });
  }
  if (chart === true && namespace.length > MAX_RELEASE_NAME) {
    problems.push({
      code: 'helm-release-name-too-long',
      what: `The Helm release of ${folderPath(folder)} would be "${namespace}", ${namespace.length} characters long`,
      why: `Helm refuses release names of more than ${MAX_RELEASE_NAME} characters`,
      fix: `make the name of the namespace ${namespace.length - MAX_RELEASE_NAME} characters shorter`,
    });
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
      problems.push({
        code: 'application-name-collision',
        what: `The folders ${folderPath(other)} and ${folderPath(folder)} would both be the Application "${name}"`,
        why: 'Only one of them would be deployed, or each in turn',
        fix: 'rename one of the two clusters or namespaces',
      });
    }
  }
  return problems;
}

import { isApiError } from '../../runtime/client/api-error';
import type { KubeClient } from '../../runtime/client/kube-client';
import { type KubeObject, objectKey } from '../../runtime/objects/kube-object';
import type { Resource } from '../../runtime/objects/resource';

/** Objects that tell of proxies that no pod here has. */
export interface Outside {
  readonly workloads: readonly KubeObject[];
  readonly links: readonly Link[];
}

/** The fields of a Link of linkerd-multicluster that are read. */
interface Link extends KubeObject {
  readonly spec?: { readonly targetClusterName?: string };
}

/** Reads them, and tells the plurals of the kinds that cannot be read. */
export type ReadOutside = (signal: AbortSignal) => Promise<Outside & { readonly unread: readonly string[] }>;

/** Proxies of machines that are not of the cluster. */
const EXTERNAL_WORKLOADS: Resource = {
  apiVersion: 'workload.linkerd.io/v1beta1',
  kind: 'ExternalWorkload',
  plural: 'externalworkloads',
  namespaced: true,
};

/** The newest version, and the one that all releases of Linkerd have. */
const LINKS: readonly Resource[] = ['v1alpha3', 'v1alpha1'].map((version) => ({
  apiVersion: `multicluster.linkerd.io/${version}`,
  kind: 'Link',
  plural: 'links',
  namespaced: true,
}));

/**
 * Reads what is there now. A kind whose definition is not installed has no objects; one that may not be read, or not now,
 * may have any.
 */
export function outsideReader(client: Pick<KubeClient, 'list'>): ReadOutside {
  return async (signal) => {
    const [workloads, links] = await Promise.all([
      all<KubeObject>(client, [EXTERNAL_WORKLOADS], signal),
      all<Link>(client, LINKS, signal),
    ]);
    const unread = [
      ...(workloads === undefined ? [EXTERNAL_WORKLOADS.plural] : []),
      ...(links === undefined ? ['links'] : []),
    ];
    return { workloads: workloads ?? [], links: links ?? [], unread };
  };
}

/** The objects of the first of some versions that is served; undefined where nobody knows. */
async function all<T extends KubeObject>(
  client: Pick<KubeClient, 'list'>,
  versions: readonly Resource[],
  signal: AbortSignal,
): Promise<readonly T[] | undefined> {
  for (const version of versions) {
    try {
      return (await client.list<T>(version, { transform: slim, signal })).items;
    } catch (error) {
      signal.throwIfAborted();
      if (!isApiError(error, 404)) return undefined;
    }
  }
  return [];
}

/** Keeps names, and of a Link the cluster that it leads to. */
function slim<T extends KubeObject>({ apiVersion, kind, metadata, ...rest }: T): T {
  const { targetClusterName } = (rest as Pick<Link, 'spec'>).spec ?? {};
  const { name, namespace } = metadata;
  return {
    apiVersion,
    kind,
    metadata: { name, namespace },
    ...(targetClusterName !== undefined && { spec: { targetClusterName } }),
  } as T;
}

/** The names of those of whom nobody here sees which anchors they know: clusters that share the anchor tell it themselves. */
export function unseenProxies({ workloads, links }: Outside, members: readonly string[]): readonly string[] {
  return [
    ...workloads.map((workload) => `ExternalWorkload ${objectKey(workload)}`),
    ...links
      .filter(({ spec }) => !members.includes(spec?.targetClusterName ?? ''))
      .map((link) => `Link ${objectKey(link)}`),
  ].toSorted();
}

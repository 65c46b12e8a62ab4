import { isApiError } from '#controller-runtime/client/api-error';
import type { KubeClient } from '#controller-runtime/client/kube-client';
import { type KubeObject, objectKey } from '#controller-runtime/objects/kube-object';
import type { Resource } from '#controller-runtime/objects/resource';

/** Objects that indicate proxies outside the cluster's pods. */
export interface Outside {
  readonly workloads: readonly KubeObject[];
  readonly links: readonly Link[];
}

interface Link extends KubeObject {
  readonly spec?: { readonly targetClusterName?: string };
}

/** Reads these objects, and returns the plurals of the kinds that cannot be read. */
export type ReadOutside = (signal: AbortSignal) => Promise<Outside & { readonly unread: readonly string[] }>;

/** Proxies of machines outside the cluster. */
const EXTERNAL_WORKLOADS: Resource = {
  apiVersion: 'workload.linkerd.io/v1beta1',
  kind: 'ExternalWorkload',
  plural: 'externalworkloads',
  namespaced: true,
};

/** The newest version of Link, and the version that all releases of Linkerd serve. */
const LINKS: readonly Resource[] = ['v1alpha3', 'v1alpha1'].map((version) => ({
  apiVersion: `multicluster.linkerd.io/${version}`,
  kind: 'Link',
  plural: 'links',
  namespaced: true,
}));

/** Reads the current objects. A kind without a definition has no objects; one that cannot be read may have any. */
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

/** Returns the objects of the first served version; undefined if they cannot be read. */
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

/**
 * Returns the names of external proxies and linked clusters whose anchors this cluster cannot observe. Members are
 * excluded, because they report their anchors.
 */
export function unseenProxies({ workloads, links }: Outside, members: readonly string[]): readonly string[] {
  return [
    ...workloads.map((workload) => `ExternalWorkload ${objectKey(workload)}`),
    ...links
      .filter(({ spec }) => !members.includes(spec?.targetClusterName ?? ''))
      .map((link) => `Link ${objectKey(link)}`),
  ].toSorted();
}

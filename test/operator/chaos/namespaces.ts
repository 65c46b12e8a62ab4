import type { Cluster } from '../../support/cluster/cluster';
import { annotate, networkRef } from '../../support/operator/network-fixture';

/** Namespaces that exist already, so that all can attach at the same time. */
export interface Namespaces {
  readonly names: readonly string[];
  /** Annotates the namespaces, a few at a time. */
  attach(): Promise<void>;
  detach(): Promise<void>;
  /** Returns the number of namespaces with a network that contains this text. */
  attached(text?: string): Promise<number>;
}

const AT_A_TIME = 4;

export async function makeNamespaces(cluster: Cluster, count: number): Promise<Namespaces> {
  const names: string[] = [];
  const inParallel = async (each: (index: number) => Promise<void>): Promise<void> => {
    let next = 0;
    const worker = async (): Promise<void> => {
      for (let index = next++; index < count; index = next++) await each(index);
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, worker));
  };
  const setMultus = (multus: string | null) =>
    inParallel((index) => annotate(cluster, names[index] ?? '', { 'linkerd.io/multus': multus }));
  await inParallel(async () => void names.push(await cluster.namespace('meshed')));
  return {
    names,
    attach: () => setMultus('enabled'),
    detach: () => setMultus(null),
    attached: async (text = '') => {
      const networks = await cluster.list('k8s.cni.cncf.io/v1', networkRef('').kind);
      return networks.filter(
        ({ metadata, spec }) => names.includes(metadata.namespace ?? '') && spec.config.includes(text),
      ).length;
    },
  };
}

import type { Informer } from '#controller-runtime/cache/informer';
import type { KubeObject } from '#controller-runtime/objects/kube-object';
import { isLaterVersion } from '#controller-runtime/objects/resource-version';

/** Checks the order of an informer's changes: objects are updated and deleted only after they are added. */
export interface ChangeHistory {
  /** The changes that were out of order. */
  readonly mistakes: readonly string[];
  /** The number of changes. */
  count(): number;
}

export function recordChanges<T extends KubeObject>(informer: Informer<T>): ChangeHistory {
  const alive = new Map<string, T>();
  const mistakes: string[] = [];
  let count = 0;
  informer.onChange((change) => {
    count += 1;
    const { name, resourceVersion } = change.object.metadata;
    const before = alive.get(name);
    if ((before === undefined) !== (change.type === 'added')) mistakes.push(`${name} was ${change.type} out of order`);
    if (change.type === 'updated') {
      if (change.old !== before) mistakes.push(`${name} was updated from a state that was not reported`);
      if (!isLaterVersion(resourceVersion, before?.metadata.resourceVersion))
        mistakes.push(`${name} was updated to a version that is not later`);
    }
    if (change.type === 'deleted') alive.delete(name);
    else alive.set(name, change.object);
  });
  return { mistakes, count: () => count };
}

import { type Finding, findingsAt } from '#base/findings/finding';
import { listed } from '#base/findings/listed';
import { isMap, type Values, valueAt } from '#base/values';
import { describeObject, type KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { identityOf } from '#kubernetes/objects/scope';
import type { FileReader } from './file-contents';
import { CHANGE_FINDINGS } from './findings';
import { immutableChanges, isOfImmutable, isRecreated } from './immutable-fields';

type Texts = ReadonlyMap<string, string>;

const MAX_NAMED = 8;

/** The label by which cdk8s-plus selects pods: the address of the construct, which depends on the cluster's name. */
const ADDRESS = 'cdk8s.io/metadata.addr';

/** Returns the finding about objects that the API server would refuse to update, because immutable fields change. */
export function findRefusedUpdates(
  path: string,
  { before, after }: Readonly<Record<'before' | 'after', Texts>>,
  reader: FileReader,
): readonly Finding[] {
  const old = objectsIn(before, after, reader);
  const found = [...objectsIn(after, before, reader)].flatMap(([id, object]) => {
    const was = old.get(id);
    const fields = was === undefined || isRecreated(object) ? [] : immutableChanges({ before: was, after: object });
    return fields.length === 0 ? [] : [{ object, fields }];
  });
  const byAddress = found.filter(({ object, fields }) => fields.includes('spec.selector') && isByAddress(object));
  const others = found.filter((one) => !byAddress.includes(one));
  return findingsAt(path, [
    ...(byAddress.length === 0 ? [] : [CHANGE_FINDINGS.updateRefusedAddress({ objects: namesOf(byAddress) })]),
    ...(others.length === 0 ? [] : [CHANGE_FINDINGS.updateRefused({ objects: namesOf(others) })]),
  ]);
}

function objectsIn(texts: Texts, others: Texts, reader: FileReader): ReadonlyMap<string, KubernetesObject> {
  return new Map(
    [...texts].flatMap(([path, text]) => {
      if (!isOfImmutable(path) || others.get(path) === text) return [];
      const contents = reader.read(path, text);
      return contents.is === 'object' ? [[identityOf(contents.object), contents.object] as const] : [];
    }),
  );
}

function isByAddress(object: KubernetesObject): boolean {
  const labels = valueAt(object as unknown as Values, 'spec.selector.matchLabels');
  return isMap(labels) && Object.hasOwn(labels, ADDRESS);
}

function namesOf(found: readonly { readonly object: KubernetesObject; readonly fields: readonly string[] }[]): string {
  return listed(
    found.map(({ object, fields }) => `${describeObject(object)} (${fields.join(', ')})`),
    MAX_NAMED,
  );
}

import { byText, remembered } from '../../../packages/base/remembered';
import type { KubernetesObject } from '../../kubernetes/kubernetes-object';
import { deepFreeze } from '../../kubernetes/plain-data';
import { isShared } from './plain-json';

/**
 * The label with which cdk8s-plus selects the pods of a workload: it follows from the path of its construct, and so it
 * is different in each cluster.
 */
const LABEL = 'cdk8s.io/metadata.addr';

/** In JSON, with a valid value: others are to be reported. */
const IN_JSON = /"cdk8s\.io\/metadata\.addr":"([A-Za-z0-9](?:[\w.-]{0,61}[A-Za-z0-9])?)"/g;

/** The addresses of workloads in one cluster, numbered, so that equal clusters have equal ones. */
export class Addresses {
  private readonly numbers = new Map<string, string>();

  /** Returns an object with numbers instead of addresses; undefined without any. */
  without(object: KubernetesObject): KubernetesObject | undefined {
    const text = addressedText(object);
    if (text === undefined) return undefined;
    return known(text.replace(IN_JSON, (_, address: string) => `"${LABEL}":"${this.numberOf(address)}"`));
  }

  private numberOf(address: string): string {
    const number = this.numbers.get(address) ?? String(this.numbers.size);
    this.numbers.set(address, number);
    return number;
  }
}

const addressedText = remembered((object: KubernetesObject): string | undefined => {
  if (!isShared(object)) return undefined;
  const text = JSON.stringify(object);
  return text.includes(`"${LABEL}":`) ? text : undefined;
});

const known = byText((text) => deepFreeze(JSON.parse(text) as KubernetesObject));

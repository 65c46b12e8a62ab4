import type { KubernetesObject } from '../kubernetes/kubernetes-object';
import { stringifyYaml } from '../kubernetes/yaml';

/** Objects as YAML documents in one stream, each after its marker. */
export function manifestStream(objects: readonly KubernetesObject[]): string {
  return objects.map((object) => `---\n${stringifyYaml(object)}`).join('');
}

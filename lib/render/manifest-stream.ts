import { stringifyYaml } from '../platform/yaml';
import type { KubernetesObject } from '../validation/kubernetes-object';

/** Objects as YAML documents in one stream, each after its marker. */
export function manifestStream(objects: readonly KubernetesObject[]): string {
  return objects.map((object) => `---\n${stringifyYaml(object)}`).join('');
}

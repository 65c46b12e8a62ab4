import { type Finding, warningsAt } from '../../kubernetes/findings/finding';
import { apiGroup } from '../../kubernetes/scope';
import type { ConstructTree } from '../tree/read-tree';
import { SYNTH_FINDINGS } from './findings';

/** API groups of software that this library never installs, and what brings their CRDs. */
const FOREIGN: Readonly<Record<string, string>> = {
  'argoproj.io': 'Argo Rollouts',
  'gateway.networking.k8s.io': 'the Gateway API',
  'k8s.cni.cncf.io': 'Multus',
  'monitoring.coreos.com': 'the Prometheus operator',
  'traefik.io': 'Traefik',
};

/** Plurals that are not the kind with an "s". */
const PLURALS: Readonly<Record<string, string>> = {
  NetworkAttachmentDefinition: 'network-attachment-definitions',
};

/**
 * Objects whose definitions nobody in the cluster brings along or declares: a sync retries them until something else
 * installs these, and fails if nothing does. One warning for each group.
 */
export function checkForeignDefinitions({ objects, declarations }: ConstructTree): readonly Finding[] {
  const known = new Set([
    ...objects
      .filter(({ object }) => object.kind === 'CustomResourceDefinition')
      .map(({ object }) => object.metadata.name),
    ...declarations
      .flatMap(({ declarations: { provides = [], external = [] } }) => [...provides, ...external])
      .filter(({ kind }) => kind === 'CustomResourceDefinition')
      .map(({ name }) => name),
  ]);
  const brings = (group: string) => [...known].some((name) => name.endsWith(`.${group}`));
  return Object.entries(FOREIGN).flatMap(([group, software]) => {
    const [first] = objects.filter(({ object }) => apiGroup(object.apiVersion) === group);
    if (first === undefined || brings(group)) return [];
    const { kind } = first.object;
    const crd = `${PLURALS[kind] ?? `${kind.toLowerCase()}s`}.${group}`;
    return warningsAt(first.path, [SYNTH_FINDINGS.crdsUndeclared({ kind, group, software, crd })]);
  });
}

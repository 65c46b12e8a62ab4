import { type Finding, warningsAt } from '../../kubernetes/findings/finding';
import { apiGroup } from '../../kubernetes/scope';
import type { Warning } from '../../linkerd/warnings';
import type { ConstructTree } from '../tree/read-tree';

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
    return warningsAt(first.path, [undeclared(group, software, first.object.kind)]);
  });
}

function undeclared(group: string, software: string, kind: string): Warning {
  return {
    code: 'crds-undeclared',
    what: `Nobody declares that ${software} is there, whose CRDs ${kind} and others of ${group} need`,
    why: 'Argo CD tries again and again to apply them, and their folder does not become healthy, until something installs these',
    fix: `install ${software} before, and say so: external: [{ kind: 'CustomResourceDefinition', name: '${PLURALS[kind] ?? `${kind.toLowerCase()}s`}.${group}' }]`,
  };
}

import type { RoleBinding } from '#imports/kubernetes';
import { LinkerdMesh } from '#lib';
import { table } from './blocks';
import { synthesizedObjects } from './mesh-objects';

const SCC = 'system:openshift:scc:';

const external = [
  { kind: 'CustomResourceDefinition', name: 'network-attachment-definitions.k8s.cni.cncf.io' },
] as const;

/** The RoleBindings that let parts of the mesh use OpenShift's SecurityContextConstraints. */
export function securityContextsTable(): string {
  const objects = synthesizedObjects(
    (ocp) => {
      new LinkerdMesh(ocp, 'mesh', {
        crds: { gatewayApi: 'existing' },
        cni: { openShift: true },
        multus: { namespaces: ['linkerd-viz'] },
        operator: {},
        rotation: {},
      });
    },
    { external },
  );
  const bindings = (objects as unknown as readonly RoleBinding[]).filter(({ roleRef }) =>
    roleRef?.name.startsWith(SCC),
  );
  return table(
    ['namespace', 'RoleBinding', 'SCC', 'service accounts'],
    bindings.map(({ metadata = {}, roleRef, subjects = [] }) => [
      `\`${metadata.namespace}\``,
      `\`${metadata.name}\``,
      `\`${roleRef.name.slice(SCC.length)}\``,
      (subjects ?? []).map(({ name }) => `\`${name}\``).join(', '),
    ]),
  );
}

import { catalogue } from '#base/findings/catalogue';
import { shellWord } from '#base/shell-word';

const rootsChange = ({ changes }: { changes: string }) => `The trust roots of the running mesh change: ${changes}`;
const MESH_STOPS =
  'Proxies and the identity controller read the trust roots when they start. Pods with only the old root refuse certificates of the new one, the identity controller refuses the new issuer, and certificates of a removed root are refused: the mesh stops within a day';
const confirm = (id: string) =>
  `To confirm this step, set acceptAnchorChange: "${id}" in the props of the PKI. If the earlier output was never deployed, there is no mesh to protect: delete the cluster's folder, and synthesize it again`;

/** Findings about changes between the output on disk and the new one. */
export const CHANGE_FINDINGS = catalogue({
  'anchor-changed': {
    severity: 'error',
    what: rootsChange,
    why: MESH_STOPS,
    fix: ({ id }: { id: string }) =>
      `give all pods both roots first, then change the issuer, and remove the old root last (see docs/moving-roots.md). ${confirm(id)}`,
  },
  'anchor-changed/operator': {
    severity: 'error',
    what: rootsChange,
    why: `The keys of the anchors that the operator has issued are not in the output, so cert-manager would create a new key. ${MESH_STOPS}`,
    fix: ({ id }: { id: string }) =>
      `keep the operator and rotation: 'operator'; or set rotation: 'manual', and generation to the value in the column SIGNING of the TrustAnchor linkerd (see docs/trust-anchor.md, "Return to manual rotation"). ${confirm(id)}`,
  },
  'update-refused': {
    severity: 'warning',
    what: ({ objects }: { objects: string }) => `Immutable fields differ from the output on disk: ${objects}`,
    why: 'The API server refuses the update, and the sync fails',
    fix: 'keep the fields, give the object another name, or delete it right before the sync, which creates it again',
  },
  'update-refused/address': {
    severity: 'warning',
    what: ({ objects }: { objects: string }) => `Selectors of cdk8s-plus differ from the output on disk: ${objects}`,
    why: 'They contain the address of the construct, which depends on the names of the cluster and of all scopes. The API server refuses another selector: the sync fails, and Services that are synced first select pods that do not exist',
    fix: 'restore the names of the cluster and of the construct; or select by labels of your own (select: false, then select(LabelSelector.of({ labels }))), and delete the workload right before the sync, which creates it again',
  },
  'cluster-renamed': {
    severity: 'warning',
    what: ({ before, after }: { before: string; after: string }) =>
      `The cluster ${after} has the destination of ${before}, which leaves the output`,
    why: 'Argo CD creates Applications with the new name, and keeps those with the old one: two Applications manage each object, and deleting the old ones with their objects deletes the mesh',
    fix: ({ before }: { before: string; after: string }) =>
      `keep the name ${before}; or delete the Applications ${before}-NAMESPACE before the sync, without their objects: argocd app delete ${shellWord(before)}-NAMESPACE --cascade=false`,
  },
  'cluster-renamed/deleted': {
    severity: 'warning',
    what: ({ before, after }: { before: string; after: string }) =>
      `The cluster ${after} has the destination of ${before}, which leaves the output`,
    why: 'Argo CD creates Applications with the new name, and deletes the old ones together with their objects, which the new ones also deploy',
    fix: ({ before }: { before: string; after: string }) =>
      `keep the name ${before}; or first set preserveResourcesOnDeletion: true in argocd of the Platform, and sync that`,
  },
  'release-lines-skipped': {
    severity: 'error',
    what: ({ from, to, skipped }: Record<'from' | 'to' | 'skipped', string>) =>
      `The control plane moves from ${from} to ${to} and skips ${skipped}`,
    why: 'Linkerd supports a control plane of the same minor version as its proxies, or one minor version ahead. Until a meshed pod is restarted, its proxy uses a control plane that it was never tested with, and may get no endpoints, policies or certificates',
    fix: ({ steps }: { steps: string }) =>
      `upgrade one minor version at a time, and restart every meshed workload before the next one: ${steps} (cdk8s-linkerd upgrade plan lists the settings of each step: run your program with --draft /tmp/draft, and the plan with --from dist --to /tmp/draft); or try this upgrade in a similar cluster, acknowledge the finding, and restart all meshed workloads right after the control plane`,
  },
  'crd-versions-removed': {
    severity: 'error',
    what: ({ name, versions }: { name: string; versions: string }) =>
      `${name} loses ${versions}, in which its objects are stored`,
    // linkerd2#12232 and linkerd2#15471 are this failure.
    why: 'The API server refuses a CRD without a version that its status.storedVersions lists: the sync of the CRDs fails, and the new release runs with the old ones',
    fix: ({ storage }: { storage: string }) =>
      `migrate the stored objects to ${storage} first (see docs/upgrading.md, "CRDs that lose a version"); then acknowledge the finding`,
  },
  'crd-versions-at-risk': {
    severity: 'warning',
    what: ({ name, versions }: { name: string; versions: string }) =>
      `${name} loses ${versions}, in which an older release may have stored objects`,
    why: 'If it did, the API server refuses the CRD: status.storedVersions keeps a version until it is removed by hand',
    fix: ({ name }: { name: string }) =>
      `run kubectl get crd/${shellWord(name)} -o jsonpath='{.status.storedVersions}'; if it prints a version that the CRD loses, migrate the stored objects first (see docs/upgrading.md, "CRDs that lose a version")`,
  },
  'gateway-api-taken-over': {
    severity: 'warning',
    what: ({ definitions }: { definitions: string }) =>
      `The output now includes CRDs of the Gateway API that it did not include before: ${definitions}`,
    why: 'If another installation provides these CRDs, those of the output replace them. If these are older, objects with newer versions or fields fail, and the API server refuses CRDs that lose a stored version',
    fix: "run kubectl get crd -o name | grep gateway.networking.k8s.io; if it lists any, set gatewayApi of the CRDs to 'existing'",
  },
  'release-changed': {
    severity: 'warning',
    what: ({ moves }: { moves: string }) => `Linkerd moves to another release: ${moves}`,
    why: 'The components of the new release restart, and meshed pods keep the proxies of the old one until they are restarted',
    fix: 'see the steps and their order with `cdk8s-linkerd upgrade plan --from REVISION`; only the synthesis that writes the new release reports this',
  },
  'release-lowered': {
    severity: 'warning',
    what: ({ moves }: { moves: string }) => `Linkerd goes back to an older release: ${moves}`,
    why: 'Linkerd tests control planes with proxies of the same minor version and of the previous one, not with newer proxies',
    fix: 'go back at most to the release that the proxies had before the upgrade, and restart the pods that were injected since; `cdk8s-linkerd upgrade plan --from REVISION` shows the order',
  },
});

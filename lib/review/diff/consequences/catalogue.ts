import type { Severity } from '../severity';
import type { ConsequenceCode, ConsequenceDetail } from './consequence';

/** What a code of a consequence means, for users who look it up. */
export interface ConsequenceEntry {
  /** The severity where the change decides no other one. */
  readonly severity: Severity;
  /** What changes, or what happens with the sync. */
  readonly what: string;
  /** What it means for the mesh. */
  readonly why?: string;
  /** What to do before or after the change: an imperative. */
  readonly fix?: string;
}

const REFUSED = 'Clients that no policy allows are refused at once';

/** The consequences that a diff reports, by code. */
export const CONSEQUENCES: Readonly<Record<ConsequenceCode, ConsequenceEntry>> = {
  // Clusters, releases and charts.
  'cluster-added': { severity: 'info', what: 'A cluster is new in the output' },
  'cluster-removed': {
    severity: 'warning',
    what: 'A cluster leaves the output',
    why: 'Whether Argo CD keeps or deletes its objects depends on preserveResourcesOnDeletion of its ApplicationSet',
    fix: 'check what Argo CD does with its Applications: docs/operations.md, "Removing"',
  },
  'release-moved': {
    severity: 'warning',
    what: 'A part of Linkerd is added, removed or moves to another release',
    why: 'Its components restart, and meshed pods keep their proxies until they restart',
    fix: 'follow the steps of `cdk8s-linkerd upgrade plan`',
  },
  'chart-changed': {
    severity: 'warning',
    what: 'A chart that Helm renders is added, removed, or gets another version or other values',
    why: 'Argo CD renders the chart in the cluster, so the diff does not show how its objects change',
    fix: 'compare the output of `helm template` for both versions and values',
  },

  // Files.
  'file-unreadable': {
    severity: 'error',
    what: 'A file of the output cannot be read',
    why: 'In the later output Argo CD syncs nothing of its folder; in the earlier one it is not compared',
    fix: 'synthesize again',
  },
  'file-unlisted': {
    severity: 'warning',
    what: 'A file that synth did not write is added, removed or changed',
    why: 'Argo CD applies such files too, and no rule has checked them',
    fix: 'move it to a folder that another Application deploys, or create the object in code',
  },
  'file-missing': {
    severity: 'error',
    what: 'The index of a cluster lists a file that is missing',
    why: 'Argo CD does not apply its object, or deletes it',
    fix: 'synthesize again, and commit all files',
  },
  'index-damaged': {
    severity: 'warning',
    what: 'The index of a cluster cannot be read',
    why: 'The diff cannot tell which files synth wrote, nor which releases are installed',
    fix: 'synthesize again, or compare with a revision whose index is intact',
  },
  'only-wording-changed': {
    severity: 'info',
    what: 'Only the order, white space or comments of a file differ',
  },

  // Pods.
  'workload-restarts': {
    severity: 'warning',
    what: 'The pod template of a workload changes, and its pods are replaced',
    why: 'A Recreate strategy stops all pods before new ones start; OnDelete replaces only pods that you delete',
  },
  'workload-scaled': {
    severity: 'info',
    what: 'A workload gets another number of replicas',
  },
  'proxy-configuration-changed': {
    severity: 'warning',
    what: 'Values that the injector gives to proxies change',
    why: 'A pod has the new values only after a restart',
    fix: 'restart the workloads that the operator does not restart',
  },
  'proxy-setting-changed': {
    severity: 'warning',
    what: 'An annotation or a value of proxies changes, with an effect on traffic',
    why: 'It may take connections out of mTLS and policies, or subject them to policies that refuse them',
  },
  'injection-changed': {
    severity: 'warning',
    what: 'A namespace is injected in another way',
    why: 'New pods get a proxy, or lose it together with mTLS and the protection by policies',
    fix: 'restart the workloads of the namespace when you want the change to apply',
  },
  'pod-security-changed': {
    severity: 'warning',
    what: 'A namespace gets another level of pod security',
    why: 'The API server refuses new pods that the level does not allow',
  },

  // Certificates.
  'anchor-changed': {
    severity: 'breaks-traffic',
    what: 'The trust roots of the running mesh change',
    why: 'Pods that know only the old root refuse certificates of the new one, and the mesh stops within a day',
    fix: 'give all pods both roots first, then change the issuer, and remove the old root last: docs/moving-roots.md',
  },
  'certificate-reissued': {
    severity: 'warning',
    what: 'cert-manager reissues a certificate at once',
    fix: 'check that the programs that use its Secret load the new certificate',
  },
  'certificate-renewal-moved': { severity: 'info', what: 'A certificate is renewed earlier or later' },
  'certificate-next-renewal': { severity: 'info', what: 'A change of a certificate applies at its next renewal' },
  'certificate-secret-rewritten': {
    severity: 'info',
    what: 'The Secret of a certificate is rewritten with the same certificate',
  },
  'certificate-abandoned': {
    severity: 'warning',
    what: 'A certificate is no longer renewed, and stays in its Secret until it expires',
    fix: 'delete the Secret once nothing uses it',
  },
  'issuer-changed': {
    severity: 'warning',
    what: 'An issuer signs with another key or with other settings',
    why: 'Clients that do not trust the new CA refuse certificates that it signs',
    fix: 'check that the trust bundle contains the CA of the new issuer first',
  },
  'trust-bundle-changed': {
    severity: 'warning',
    what: 'The roots of a trust bundle, or its targets, change',
    why: 'Proxies read the roots when they start, and refuse certificates of a root that they do not know',
    fix: 'restart the meshed workloads before a certificate of a new root is issued',
  },
  'anchor-rotation-asked': {
    severity: 'warning',
    what: 'The operator begins to rotate the trust anchor',
    fix: 'follow the phases in the status of the TrustAnchor: docs/pki.md',
  },
  'anchor-policy-changed': {
    severity: 'warning',
    what: 'The operator manages the trust anchor by other rules',
  },

  // The sync.
  'object-removed': {
    severity: 'warning',
    what: 'An object leaves the output: Argo CD deletes it, or it stays in the cluster',
    fix: 'delete an object that stays by hand once nothing uses it',
  },
  'sync-fails': {
    severity: 'error',
    what: 'Immutable fields of an object change',
    why: 'The API server refuses the change, and the sync fails',
    fix: 'delete the object right before the sync, which creates it again; until then its function is unavailable',
  },
  'object-replaced': {
    severity: 'warning',
    what: 'Argo CD deletes an object and creates it again',
    why: 'Between the two its function is unavailable',
  },
  'crd-added': { severity: 'info', what: 'A CRD is new in the output' },
  'crd-removed': { severity: 'warning', what: 'A CRD leaves the output, and stays in the cluster' },
  'crd-version-added': { severity: 'info', what: 'A CRD gets another version' },
  'crd-versions-removed': {
    severity: 'error',
    what: 'A CRD loses a version in which objects are stored',
    why: 'The API server refuses the CRD, and the sync fails',
    fix: 'migrate the stored objects first: docs/upgrading.md, "CRDs that lose a version"',
  },
  'crd-versions-at-risk': {
    severity: 'warning',
    what: 'A CRD loses a version in which an older release may have stored objects',
    why: 'If it did, the API server refuses the CRD, and the sync fails',
    fix: 'check status.storedVersions of the CRD: docs/upgrading.md, "CRDs that lose a version"',
  },
  'crd-version-unserved': {
    severity: 'warning',
    what: 'A version of a CRD is no longer served',
    why: 'Clients that request this version fail',
    fix: 'update these clients first',
  },

  // Access.
  'server-added': {
    severity: 'breaks-traffic',
    what: 'A new Server replaces the default policy for its port',
    why: REFUSED,
    fix: 'compare the allowed clients with those that `linkerd viz stat` or `linkerd viz edges` shows',
  },
  'server-removed': {
    severity: 'opens-access',
    what: 'A Server is removed, and the default policy decides which clients reach its port',
    why: 'The default policy may allow any client, or none',
    fix: 'set config.linkerd.io/default-inbound-policy of the workload if the default is not what you want',
  },
  'clients-gained': { severity: 'opens-access', what: 'A Server allows more clients' },
  'clients-lost': {
    severity: 'breaks-traffic',
    what: 'A Server no longer allows clients that it allowed before',
    why: REFUSED,
    fix: 'check that these clients no longer send requests',
  },
  'server-unknown': {
    severity: 'warning',
    what: 'A policy for a Server that is not in the output changes',
    why: 'The diff cannot tell which clients gain or lose access',
    fix: 'compare it with the Server where that is defined',
  },
  'traffic-policy-changed': { severity: 'info', what: 'A policy changes, but allows the same clients' },
  'egress-policy-changed': {
    severity: 'warning',
    what: 'The policy for hosts outside the cluster changes',
    why: 'With Deny, hosts that no route allows are refused at once',
    fix: 'add routes for the hosts that workloads need before you deny the rest',
  },
  'rate-limit-changed': {
    severity: 'warning',
    what: 'Request limits change at once',
    why: 'Requests above the limit are refused with 429',
  },
  'admission-policy-changed': {
    severity: 'warning',
    what: 'An admission policy refuses, or warns about, other objects',
  },
  'webhook-changed': {
    severity: 'warning',
    what: 'A webhook is added or removed, gets another failurePolicy, or is called for other requests',
    why: 'With failurePolicy Fail, the API server refuses these requests while the webhook does not respond',
  },
  'rbac-changed': { severity: 'warning', what: 'A role or a binding grants more or less' },

  // Argo CD.
  'argocd-project-changed': { severity: 'warning', what: 'The AppProject permits Argo CD to deploy more or less' },
  'argocd-applications-changed': {
    severity: 'warning',
    what: 'Argo CD creates new Applications, or no longer updates some',
  },
  'argocd-source-changed': {
    severity: 'warning',
    what: 'Argo CD reads another repository, revision or path',
    why: 'If the clusters are not there, it deploys nothing new, or prunes what it deployed',
  },
  'argocd-sync-changed': { severity: 'warning', what: 'Applications are created or synced differently' },
};

/** Makes a consequence, of the severity of its code unless the change has another one. */
export function consequence<const D extends ConsequenceDetail>(
  { code, ...others }: D,
  severity: Severity = CONSEQUENCES[code].severity,
): D & { readonly severity: Severity } {
  return { code, severity, ...others } as unknown as D & { readonly severity: Severity };
}

import type { Severity } from '../severity';
import type { SettingEffect } from './proxy-settings';

/** A statement on what a change does in the clusters that have it. */
export type Consequence = Severe & Detail;

interface Severe {
  readonly severity: Severity;
}

/** The code of a consequence. Codes are stable: none is renamed, and none comes to mean something else. */
export type ConsequenceCode = Detail['code'];

/** The same without its severity. Objects are named as in `Deployment linkerd/linkerd-identity`. */
type Detail =
  | ClusterDetail
  | SettingDetail
  | WorkloadDetail
  | CertificateDetail
  | SyncDetail
  | PolicyDetail
  | PlatformDetail;

type ClusterDetail =
  | { readonly code: 'cluster-added' }
  /** Its folder is gone. Argo CD keeps its Applications, and they all of the objects, or deletes both. */
  | { readonly code: 'cluster-removed'; readonly objects: 'kept' | 'deleted' | 'unknown' }
  /** A part of Linkerd moves to another release, comes, or goes. */
  | { readonly code: 'release-moved'; readonly chart: string; readonly before?: string; readonly after?: string }
  | { readonly code: 'chart-added'; readonly chart: string; readonly namespace: string; readonly version: string }
  | { readonly code: 'chart-removed'; readonly chart: string; readonly namespace: string; readonly version: string }
  | {
      readonly code: 'chart-version-changed';
      readonly chart: string;
      readonly namespace: string;
      readonly before: string;
      readonly after: string;
    }
  | {
      readonly code: 'chart-values-changed';
      readonly chart: string;
      readonly namespace: string;
      readonly values: readonly string[];
    }
  | { readonly code: 'file-unreadable'; readonly file: string; readonly side: Side; readonly reason: string }
  /** No synthesis wrote the file; Argo CD applies it if it holds manifests. */
  | { readonly code: 'file-unlisted'; readonly file: string; readonly change: 'added' | 'removed' | 'changed' }
  /** The index lists a file that is not there. */
  | { readonly code: 'file-missing'; readonly file: string }
  | { readonly code: 'index-damaged'; readonly side: Side; readonly reason: string }
  /** The file says the same in another order, with other white space or comments. */
  | { readonly code: 'only-wording-changed'; readonly file: string };

type Side = 'before' | 'after';

type WorkloadDetail =
  /** The pod template differs. */
  | {
      readonly code: 'workload-restarts';
      readonly object: string;
      /** `rolling`: pod by pod; `at-once`: all pods end first; `by-hand`: when somebody deletes its pods; `next-run`: nothing now. */
      readonly how: 'rolling' | 'at-once' | 'by-hand' | 'next-run' | 'when-resumed';
    }
  | {
      readonly code: 'workload-scaled';
      readonly object: string;
      readonly before: number | null;
      readonly after: number | null;
    }
  /** Values that the injector gives to proxies differ; pods have them once they are restarted. */
  | {
      readonly code: 'proxy-configuration-changed';
      readonly values: readonly string[];
      /** Tells whether the operator restarts workloads that ask for it. */
      readonly operator: boolean;
      /** Workloads of the output that ask for it. */
      readonly restarted: readonly string[];
      /** Workloads of the output that are meshed and do not. */
      readonly kept: readonly string[];
    }
  | { readonly code: 'injection-changed'; readonly object: string; readonly before: string; readonly after: string }
  | {
      readonly code: 'pod-security-changed';
      readonly object: string;
      readonly mode: string;
      readonly before: string;
      readonly after: string;
    };

/** A setting of proxies, an annotation or a value, and what it does to the traffic of the pods that have it. */
interface SettingDetail {
  readonly code: 'proxy-setting-changed';
  /** The namespace, workload or Service; or the values of the mesh. */
  readonly object: string;
  /** The annotation, or the path of the value. */
  readonly setting: string;
  readonly effect: SettingEffect;
  /** The ports, networks, clients or policies that the effect is about. */
  readonly of: readonly string[];
  /** `pod-start`: pods that are created from then on; `rollout`: pods are replaced for it; `at-once`: all pods, with the sync. */
  readonly when: 'pod-start' | 'rollout' | 'at-once';
  /** Workloads of the output that take it from their namespace. */
  readonly workloads: readonly string[];
}

/** A consequence of a setting of proxies. */
export type SettingConsequence = Severe & SettingDetail;

type CertificateDetail =
  /** The mesh gets another trust anchor, or loses a root, while it runs. */
  | {
      readonly code: 'anchor-changed';
      readonly from: string;
      readonly to: string;
      readonly fields: readonly string[];
      readonly lost: readonly string[];
      /** The text by which the program accepts it. */
      readonly id: string;
      readonly accepted: boolean;
    }
  /** cert-manager issues the certificate anew, at once. */
  | { readonly code: 'certificate-reissued'; readonly object: string; readonly fields: readonly string[] }
  /** Only the time of its next renewal moves. */
  | {
      readonly code: 'certificate-renewal-moved';
      readonly object: string;
      readonly before: string;
      readonly after: string;
    }
  /** Takes effect with the next renewal. */
  | { readonly code: 'certificate-next-renewal'; readonly object: string; readonly fields: readonly string[] }
  /** The Secret is written again, with the same certificate. */
  | { readonly code: 'certificate-secret-rewritten'; readonly object: string; readonly fields: readonly string[] }
  /** Nobody renews it any more; its Secret stays. */
  | { readonly code: 'certificate-abandoned'; readonly object: string; readonly secret: string }
  /** Certificates from now on are signed by another key, or not at all. */
  | { readonly code: 'issuer-changed'; readonly object: string; readonly fields: readonly string[] }
  | { readonly code: 'trust-bundle-changed'; readonly object: string; readonly fields: readonly string[] }
  /** The operator begins to rotate the trust anchor. */
  | { readonly code: 'anchor-rotation-asked'; readonly object: string }
  | { readonly code: 'anchor-policy-changed'; readonly object: string; readonly fields: readonly string[] };

type SyncDetail =
  /** Argo CD deletes the object. */
  | { readonly code: 'object-deleted'; readonly object: string }
  /** The object is gone from the output, and no ApplicationSet tells what becomes of it. */
  | { readonly code: 'object-gone'; readonly object: string }
  /** The object is gone from the output and stays in the cluster. */
  | {
      readonly code: 'object-kept';
      readonly object: string;
      /** `annotation`: Prune=false; `application`: its Application does not prune; `folder`: its Application is not deleted; `confirmation`: until somebody confirms. */
      readonly why: 'annotation' | 'application' | 'folder' | 'confirmation';
    }
  /** Fields that the API server lets nobody change: the sync fails until somebody deletes the object. */
  | { readonly code: 'sync-fails'; readonly object: string; readonly fields: readonly string[] }
  /** Argo CD deletes the object and makes it anew. */
  | { readonly code: 'object-replaced'; readonly object: string; readonly fields: readonly string[] }
  /** The API server refuses a CRD that loses a version in which objects are stored. */
  | {
      readonly code: 'crd-version-removed';
      readonly crd: string;
      readonly versions: readonly string[];
      readonly stored: boolean;
    }
  | { readonly code: 'crd-version-unserved'; readonly crd: string; readonly versions: readonly string[] }
  | { readonly code: 'crd-version-added'; readonly crd: string; readonly versions: readonly string[] }
  | { readonly code: 'crd-added'; readonly crd: string }
  | { readonly code: 'crd-removed'; readonly crd: string };

type PolicyDetail =
  /** A port of pods is guarded by a Server of its own, and no longer by the default policy. */
  | { readonly code: 'server-added'; readonly server: string; readonly clients: readonly string[] }
  /** The default policy holds for the port. */
  | {
      readonly code: 'server-removed';
      readonly server: string;
      readonly clients: readonly string[];
      readonly policy: string;
    }
  | { readonly code: 'clients-gained'; readonly server: string; readonly clients: readonly string[] }
  | { readonly code: 'clients-lost'; readonly server: string; readonly clients: readonly string[] }
  /** The object guards servers that are not in the output, so that its clients are not known. */
  | { readonly code: 'server-unknown'; readonly object: string }
  | { readonly code: 'egress-policy-changed'; readonly object: string; readonly before: string; readonly after: string }
  | { readonly code: 'rate-limit-changed'; readonly object: string; readonly fields: readonly string[] }
  /** An object that guards servers differs, and lets in the same clients as far as that is known. */
  | { readonly code: 'traffic-policy-changed'; readonly object: string }
  | {
      readonly code: 'admission-policy-changed';
      readonly object: string;
      readonly before: string;
      readonly after: string;
    }
  | {
      readonly code: 'webhook-added';
      readonly object: string;
      readonly webhook: string;
      readonly failurePolicy: string;
    }
  | { readonly code: 'webhook-removed'; readonly object: string; readonly webhook: string }
  | {
      readonly code: 'webhook-failure-policy-changed';
      readonly object: string;
      readonly webhook: string;
      readonly before: string;
      readonly after: string;
    }
  | {
      readonly code: 'webhook-scope-changed';
      readonly object: string;
      readonly webhook: string;
      readonly fields: readonly string[];
    }
  | { readonly code: 'rbac-widened'; readonly object: string; readonly grants: readonly string[] }
  | { readonly code: 'rbac-narrowed'; readonly object: string; readonly grants: readonly string[] };

type PlatformDetail =
  | { readonly code: 'argocd-project-widened'; readonly object: string; readonly grants: readonly string[] }
  | { readonly code: 'argocd-project-narrowed'; readonly object: string; readonly grants: readonly string[] }
  | { readonly code: 'argocd-applications-added'; readonly object: string }
  | { readonly code: 'argocd-applications-removed'; readonly object: string }
  /** Argo CD reads another revision, repository or path. */
  | {
      readonly code: 'argocd-source-changed';
      readonly object: string;
      readonly before: string;
      readonly after: string;
    }
  | { readonly code: 'argocd-sync-changed'; readonly object: string; readonly fields: readonly string[] };

import type { Severity } from '../severity';
import type { SettingEffect } from './proxy-settings';

/** An effect of a change in its clusters. */
export type Consequence = Severe & ConsequenceDetail;

interface Severe {
  readonly severity: Severity;
}

/** The code of a consequence. Codes are stable: they are never renamed or reused. */
export type ConsequenceCode = ConsequenceDetail['code'];

/** The same without its severity. Objects are named like `Deployment linkerd/linkerd-identity`. */
export type ConsequenceDetail =
  | ClusterDetail
  | SettingDetail
  | WorkloadDetail
  | CertificateDetail
  | SyncDetail
  | PolicyDetail
  | PlatformDetail;

type ClusterDetail =
  | { readonly code: 'cluster-added' }
  /** Its folder is removed. Argo CD either keeps its Applications with all objects, or deletes both. */
  | { readonly code: 'cluster-removed'; readonly objects: 'kept' | 'deleted' | 'unknown' }
  /** A part of Linkerd moves to another release, is added, or is removed. */
  | { readonly code: 'release-moved'; readonly chart: string; readonly before?: string; readonly after?: string }
  | {
      readonly code: 'chart-changed';
      readonly chart: string;
      readonly namespace: string;
      /** Its versions; absent on the side that does not have the chart. */
      readonly before?: string;
      readonly after?: string;
      /** Paths of values that differ. */
      readonly values: readonly string[];
    }
  | { readonly code: 'file-unreadable'; readonly file: string; readonly side: Side; readonly reason: string }
  /** The file was not synthesized; Argo CD applies it if it contains manifests. */
  | { readonly code: 'file-unlisted'; readonly file: string; readonly change: 'added' | 'removed' | 'changed' }
  /** The index lists a missing file. */
  | { readonly code: 'file-missing'; readonly file: string }
  | { readonly code: 'index-damaged'; readonly side: Side; readonly reason: string }
  /** The file changes only in order, white space or comments. */
  | { readonly code: 'only-wording-changed'; readonly file: string };

type Side = 'before' | 'after';

type WorkloadDetail =
  /** The pod template changes. */
  | {
      readonly code: 'workload-restarts';
      readonly object: string;
      /**
       * `rolling`: pod by pod; `at-once`: all pods stop first; `by-hand`: when its pods are deleted; `next-run`: no
       * effect now.
       */
      readonly how: 'rolling' | 'at-once' | 'by-hand' | 'next-run' | 'when-resumed';
    }
  | {
      readonly code: 'workload-scaled';
      readonly object: string;
      readonly before: number | null;
      readonly after: number | null;
    }
  /** Values that the injector uses for proxies change; pods get them when they restart. */
  | {
      readonly code: 'proxy-configuration-changed';
      readonly values: readonly string[];
      /** The operator restarts workloads with its label. */
      readonly operator: boolean;
      /** Workloads of the output with its label. */
      readonly restarted: readonly string[];
      /** Meshed workloads of the output without it. */
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

/** A setting of proxies, an annotation or a value, and its effect on the traffic of its pods. */
interface SettingDetail {
  readonly code: 'proxy-setting-changed';
  /** The namespace, workload or Service; or the values of the mesh. */
  readonly object: string;
  /** The annotation, or the path of the value. */
  readonly setting: string;
  readonly effect: SettingEffect;
  /** The affected ports, networks, clients or policies. */
  readonly of: readonly string[];
  /**
   * `pod-start`: for pods created from then on; `rollout`: pods are replaced; `at-once`: for all pods, with the sync.
   */
  readonly when: 'pod-start' | 'rollout' | 'at-once';
  /** Workloads of the output that inherit it from their namespace. */
  readonly workloads: readonly string[];
}

/** A consequence of a setting of proxies. */
export type SettingConsequence = Severe & SettingDetail;

type CertificateDetail =
  /** The trust anchor of a running mesh changes, or a root is removed. */
  | {
      readonly code: 'anchor-changed';
      readonly from: string;
      readonly to: string;
      readonly fields: readonly string[];
      readonly lost: readonly string[];
      /** The text with which the program accepts it. */
      readonly id: string;
      readonly accepted: boolean;
    }
  /** cert-manager reissues the certificate at once. */
  | { readonly code: 'certificate-reissued'; readonly object: string; readonly fields: readonly string[] }
  /** Only the time of its next renewal changes. */
  | {
      readonly code: 'certificate-renewal-moved';
      readonly object: string;
      readonly before: string;
      readonly after: string;
    }
  /** Takes effect with the next renewal. */
  | { readonly code: 'certificate-next-renewal'; readonly object: string; readonly fields: readonly string[] }
  /** The Secret is rewritten, with the same certificate. */
  | { readonly code: 'certificate-secret-rewritten'; readonly object: string; readonly fields: readonly string[] }
  /** It is no longer renewed; its Secret stays. */
  | { readonly code: 'certificate-abandoned'; readonly object: string; readonly secret: string }
  /** Certificates are signed by another key from now on, or not at all. */
  | { readonly code: 'issuer-changed'; readonly object: string; readonly fields: readonly string[] }
  | { readonly code: 'trust-bundle-changed'; readonly object: string; readonly fields: readonly string[] }
  /** The operator starts a rotation of the trust anchor. */
  | { readonly code: 'anchor-rotation-asked'; readonly object: string }
  | { readonly code: 'anchor-policy-changed'; readonly object: string; readonly fields: readonly string[] };

/**
 * Why an object stays in the cluster. `annotation`: it has Prune=false; `application`: its Application does not prune;
 * `folder`: its Application is not deleted; `confirmation`: until the user confirms the deletion.
 */
export type KeptWhy = 'annotation' | 'application' | 'folder' | 'confirmation';

type SyncDetail =
  /** The object leaves the output. `unknown`: no ApplicationSet shows what Argo CD does with it. */
  | { readonly code: 'object-removed'; readonly object: string; readonly outcome: 'deleted' | 'unknown' }
  | {
      readonly code: 'object-removed';
      readonly object: string;
      readonly outcome: 'kept';
      readonly why: KeptWhy;
    }
  /** Immutable fields change: the sync fails until the object is deleted. */
  | { readonly code: 'sync-fails'; readonly object: string; readonly fields: readonly string[] }
  /** Argo CD deletes and recreates the object. */
  | { readonly code: 'object-replaced'; readonly object: string; readonly fields: readonly string[] }
  /** The API server refuses a CRD that loses a version in which objects are stored. */
  | { readonly code: 'crd-versions-removed'; readonly crd: string; readonly versions: readonly string[] }
  /** Objects may be stored in the versions that the CRD loses. */
  | { readonly code: 'crd-versions-at-risk'; readonly crd: string; readonly versions: readonly string[] }
  | { readonly code: 'crd-version-unserved'; readonly crd: string; readonly versions: readonly string[] }
  | { readonly code: 'crd-version-added'; readonly crd: string; readonly versions: readonly string[] }
  | { readonly code: 'crd-added'; readonly crd: string }
  | { readonly code: 'crd-removed'; readonly crd: string };

type PolicyDetail =
  /** A Server applies to a port of pods, instead of the default policy. */
  | { readonly code: 'server-added'; readonly server: string; readonly clients: readonly string[] }
  /** The default policy applies to the port. */
  | {
      readonly code: 'server-removed';
      readonly server: string;
      readonly clients: readonly string[];
      readonly policy: string;
    }
  | { readonly code: 'clients-gained'; readonly server: string; readonly clients: readonly string[] }
  | { readonly code: 'clients-lost'; readonly server: string; readonly clients: readonly string[] }
  /** The object applies to servers that are not in the output, so its clients are unknown. */
  | { readonly code: 'server-unknown'; readonly object: string }
  | { readonly code: 'egress-policy-changed'; readonly object: string; readonly before: string; readonly after: string }
  | { readonly code: 'rate-limit-changed'; readonly object: string; readonly fields: readonly string[] }
  /** An object for servers changes, with the same clients as far as they are known. */
  | { readonly code: 'traffic-policy-changed'; readonly object: string }
  | {
      readonly code: 'admission-policy-changed';
      readonly object: string;
      readonly before: string;
      readonly after: string;
    }
  | {
      readonly code: 'webhook-changed';
      readonly object: string;
      readonly webhook: string;
      /** Its failure policies; absent on the side that does not have the webhook. */
      readonly before?: string;
      readonly after?: string;
      /** Fields that select the requests for which the API server calls it, and that differ. */
      readonly fields: readonly string[];
    }
  | ({ readonly code: 'rbac-changed'; readonly object: string } & Grants);

/** What a role or a project grants now and did not, and what it no longer grants. */
interface Grants {
  readonly gained: readonly string[];
  readonly lost: readonly string[];
}

type PlatformDetail =
  | ({ readonly code: 'argocd-project-changed'; readonly object: string } & Grants)
  | { readonly code: 'argocd-applications-changed'; readonly object: string; readonly change: 'added' | 'removed' }
  /** Argo CD reads another revision, repository or path. */
  | {
      readonly code: 'argocd-source-changed';
      readonly object: string;
      readonly before: string;
      readonly after: string;
    }
  | { readonly code: 'argocd-sync-changed'; readonly object: string; readonly fields: readonly string[] };

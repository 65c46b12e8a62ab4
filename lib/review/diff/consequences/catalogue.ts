import { code, type Inline, listed, say } from '../formats/page';
import type { Severity } from '../severity';
import type { SettingEffect } from './proxy-settings';
import { SETTING_EFFECTS } from './setting-effects';

/** What a code of a consequence means. */
export interface ConsequenceEntry {
  /** The default severity; some changes have another one. */
  readonly severity: Severity;
  /** What changes, or what happens with the sync. */
  readonly what: string;
  /** The consequence for the mesh. */
  readonly why?: string;
  /** What to do before or after the change: an imperative. */
  readonly fix?: string;
}

/** The text of a consequence without its subject, so that equal ones are shown once, with all their subjects. */
export interface ConsequenceText {
  readonly says: readonly Inline[];
  /** The object, file or CRD. */
  readonly subject?: string;
}

type Texts = ConsequenceText | readonly ConsequenceText[];
type Names = readonly string[];
type Side = 'before' | 'after';

interface OfFile {
  readonly file: string;
}

interface OfCrd {
  readonly crd: string;
}

interface Versions extends OfCrd {
  readonly versions: Names;
}

/** Kind, namespace and name: `Deployment linkerd/linkerd-identity`. */
interface OfObject {
  readonly object: string;
}

interface Fields extends OfObject {
  readonly fields: Names;
}

interface Moved extends OfObject {
  readonly before: string;
  readonly after: string;
}

interface OfChart {
  readonly chart: string;
  readonly before?: string;
  readonly after?: string;
}

interface HelmValues {
  readonly namespace: string;
  readonly values: Names;
}

interface DeliveryChange {
  readonly chart: string;
  readonly namespace: string;
  readonly delivery: 'helm' | 'manifests';
  readonly compared: boolean;
  readonly moved: boolean;
}

interface Clients {
  readonly server: string;
  readonly clients: Names;
}

interface Grants {
  readonly gained: Names;
  readonly lost: Names;
}

const MAX_NAMES = 12;

const HOW = {
  rolling: 'Rolling restart',
  'at-once': 'Restart: all pods stop before new ones start',
  'by-hand': 'New pod template, only for pods that you delete',
  'next-run': 'The next run uses a new pod template',
  'when-resumed': 'Paused: restarts when you resume it',
};

const GONE = {
  kept: 'The cluster leaves the output. Argo CD deletes none of its objects: see "Removing" in docs/operations.md',
  deleted: 'The cluster leaves the output, and Argo CD deletes its Applications with all their objects',
  unknown:
    'The cluster leaves the output. It is unknown whether Argo CD deletes its objects: no ApplicationSet of the earlier output deploys the cluster',
};

const OLD_APPLICATIONS = {
  kept: 'Argo CD keeps the old Applications: two Applications manage each object until you delete the old ones without their objects',
  deleted: 'Argo CD deletes the old Applications with all their objects, which the new ones manage too',
  unknown:
    'It is unknown whether Argo CD deletes the old Applications: no ApplicationSet of the earlier output deploys the cluster',
};

const REMOVED = {
  deleted: 'Deleted by Argo CD',
  unknown:
    'Removed from the output. It is unknown whether Argo CD deletes it: no ApplicationSet of the output deploys the cluster',
};

const POLICY_REMOVED = {
  deleted: ': Argo CD deletes the policy or its binding',
  unknown:
    ', if Argo CD deletes the policy or its binding (unknown: no ApplicationSet of the output deploys the cluster)',
  confirmation: ' when you confirm that Argo CD deletes the policy or its binding',
};

const WHY_KEPT = {
  annotation: 'Removed from the output, kept in the cluster (Prune=false or Delete=false)',
  application: 'Removed from the output, kept in the cluster because its Application does not prune',
  folder: 'Removed from the output with its folder, kept in the cluster until you delete its Application',
  confirmation: 'Removed from the output; Argo CD deletes it when you confirm',
};

const WHEN = {
  'pod-start': ', for new pods',
  rollout: ', with the restart',
  'at-once': ', at once',
};

/**
 * Why an object stays in the cluster. `annotation`: it has Prune=false; `application`: its Application does not prune;
 * `folder`: its Application is not deleted; `confirmation`: until the user confirms the deletion.
 */
export type KeptWhy = keyof typeof WHY_KEPT;

const REFUSED = 'Clients that no policy allows are refused at once';

const aboutObject = (words: string) => (of: OfObject) => ({ says: [words], subject: of.object });
const aboutFile = (words: string) => (of: OfFile) => ({ says: [words], subject: of.file });
const aboutCrd = (words: string) => (of: OfCrd) => ({ says: [words], subject: of.crd });
const withFields = (words: string) => (of: Fields) => ({
  says: [words, ...listed(of.fields, MAX_NAMES)],
  subject: of.object,
});
const withVersions = (words: string) => (of: Versions) => ({
  says: [...listed(of.versions, MAX_NAMES), words],
  subject: of.crd,
});
const withClients = (words: string) => (of: Clients) => ({
  says: [words, ...listed(of.clients, MAX_NAMES)],
  subject: `Server ${of.server}`,
});

/**
 * The consequences that a diff reports, by code: severity, meaning, parameters and text. Codes are stable: they are
 * never renamed or reused.
 */
export const CONSEQUENCES = {
  // Clusters, releases and charts.
  'cluster-added': {
    severity: 'info',
    what: 'A cluster is new in the output',
    says: () => ({ says: ['The cluster is new'] }),
  },
  'cluster-removed': {
    severity: 'warning',
    what: 'A cluster leaves the output',
    why: 'Whether Argo CD keeps or deletes its objects depends on preserveResourcesOnDeletion of its ApplicationSet',
    fix: 'check what Argo CD does with its Applications: docs/operations.md, "Removing"',
    /** Without the cluster's folder, Argo CD either keeps its Applications with all objects, or deletes both. */
    says: ({ objects }: { readonly objects: 'kept' | 'deleted' | 'unknown' }) => ({ says: [GONE[objects]] }),
  },
  'cluster-renamed': {
    severity: 'warning',
    what: 'A cluster has the destination of a cluster that leaves the output',
    why: 'Its Applications get other names: two Applications manage each object until the old ones are deleted',
    fix: 'delete the old Applications without their objects before the sync: argocd app delete NAME --cascade=false',
    /** What Argo CD does with the Applications of the old name. */
    says: ({
      from,
      applications,
    }: {
      readonly from: string;
      readonly applications: keyof typeof OLD_APPLICATIONS;
    }) => ({
      says: [...say`The cluster was ${from}, and its Applications get other names. `, OLD_APPLICATIONS[applications]],
    }),
  },
  'cluster-ring-moved': {
    severity: 'warning',
    what: 'A cluster moves to another ring',
    why: 'The cluster gets its next changes together with the new ring',
    fix: 'check that the rings are of the same release, and move one cluster at a time',
    says: ({ from, to }: { readonly from: string; readonly to: string }) => ({
      says: say`The cluster moves from ring ${from} to ring ${to}`,
    }),
  },
  'chart-delivery-changed': {
    severity: 'info',
    what: 'A chart is rendered by Helm instead of at synth, or at synth instead of by Helm',
    why: 'The Application of its namespace manages the objects before and after the change',
    fix: 'if the diff does not show the objects, compare the output of `helm template` with the synthesized objects',
    /** `compared`: the diff compares the objects of synth and Helm. `moved`: the chart moves to another version. */
    says: ({ chart, namespace, delivery, compared, moved }: DeliveryChange) => ({
      says: [
        ...(delivery === 'helm'
          ? say`Argo CD renders ${chart} in ${namespace} from now on: the same Application keeps its objects`
          : say`${chart} in ${namespace} is rendered at synth from now on: the same Application keeps its objects`),
        compared || !moved ? '' : ', and the diff does not show how they change',
      ],
    }),
  },
  'release-moved': {
    severity: 'warning',
    what: 'A part of Linkerd is added, removed or moves to another release',
    why: 'Its components restart, and meshed pods keep their proxies until they restart',
    fix: 'follow the steps of `cdk8s-linkerd upgrade plan`',
    /** `before` or `after` is absent on the side that lacks the part. */
    says: ({ chart, before, after }: OfChart) => ({
      says:
        after === undefined
          ? say`${chart} ${before ?? ''} is removed`
          : before === undefined
            ? say`${chart} ${after} is new`
            : say`${chart} moves from ${before} to ${after}`,
    }),
  },
  'chart-changed': {
    severity: 'warning',
    what: 'A chart that Helm renders is added, removed, or gets another version or other values',
    why: 'Argo CD renders the chart in the cluster, so the diff does not show how its objects change',
    fix: 'compare the output of `helm template` for both versions and values',
    /** Versions are absent on the side that lacks the chart; `values` are the paths of values that differ. */
    says: ({ chart, namespace, before, after, values }: OfChart & HelmValues): Texts => {
      if (before === undefined) return { says: say`Helm now renders ${chart} ${after ?? ''} in ${namespace}` };
      if (after === undefined) return { says: say`Helm no longer renders ${chart} ${before} in ${namespace}` };
      const version = say`The chart ${chart} in ${namespace} moves from ${before} to ${after}; the diff does not show how its objects change`;
      return [
        ...(before === after ? [] : [{ says: version }]),
        ...(values.length === 0
          ? []
          : [{ says: [...say`Values of the chart ${chart} in ${namespace} change: `, ...listed(values, MAX_NAMES)] }]),
      ];
    },
  },

  // Files.
  'file-unreadable': {
    severity: 'error',
    what: 'A file of the output cannot be read',
    why: 'In the later output, Argo CD cannot sync the folder; in the earlier output, the file is not compared',
    fix: 'synthesize again',
    says: ({ file, side, reason }: OfFile & { readonly side: Side; readonly reason: string }) => ({
      says: [
        side === 'after'
          ? 'Unreadable, so Argo CD cannot sync its folder: '
          : 'Unreadable in the earlier output, so not compared: ',
        code(reason),
      ],
      subject: file,
    }),
  },
  'file-unlisted': {
    severity: 'warning',
    what: 'A file that synth did not write is added, removed or changed',
    why: 'Argo CD applies such files too, and no rule has checked them',
    fix: 'move it to a folder that another Application deploys, or create the object in code',
    says: ({ file, change }: OfFile & { readonly change: 'added' | 'removed' | 'changed' }) => ({
      says: [`Not written by synth, and ${change}; Argo CD applies such files too`],
      subject: file,
    }),
  },
  'file-missing': {
    severity: 'error',
    what: 'The index of a cluster lists a file that is missing',
    why: 'Argo CD does not apply its object, or deletes it',
    fix: 'synthesize again, and commit all files',
    says: aboutFile('Listed in the index, but missing'),
  },
  'index-damaged': {
    severity: 'warning',
    what: 'The index of a cluster cannot be read',
    why: 'The diff cannot tell which files synth wrote, nor which releases are installed',
    fix: 'synthesize again, or compare with a revision whose index is intact',
    says: ({ side, reason }: { readonly side: Side; readonly reason: string }) => ({
      says: [`The index of the ${side === 'after' ? 'later' : 'earlier'} output is damaged: `, code(reason)],
    }),
  },
  'only-wording-changed': {
    severity: 'info',
    what: 'Only the order, white space or comments of a file differ',
    says: aboutFile('Only order, white space or comments differ'),
  },

  // Pods.
  'workload-restarts': {
    severity: 'warning',
    what: 'The pod template of a workload changes, and its pods are replaced',
    why: 'A Recreate strategy stops all pods before new ones start; OnDelete replaces only pods that you delete',
    /** `next-run`: no pod restarts now. */
    says: ({ object, how }: OfObject & { readonly how: keyof typeof HOW }) => ({ says: [HOW[how]], subject: object }),
  },
  'workload-scaled': {
    severity: 'info',
    what: 'A workload gets another number of replicas',
    says: ({
      object,
      before,
      after,
    }: OfObject & { readonly before: number | null; readonly after: number | null }) => ({
      says: [`Scales from ${before ?? 'no fixed number of'} to ${after ?? 'no fixed number of'} pods`],
      subject: object,
    }),
  },
  'proxy-configuration-changed': {
    severity: 'warning',
    what: 'Values that the injector sets in proxies change',
    why: 'A pod has the new values only after a restart',
    fix: 'restart the workloads that the operator does not restart',
    /** `operator`: the operator restarts workloads, those in `restarted`. Nothing restarts the workloads in `kept`. */
    says: ({
      values,
      operator,
      restarted,
      kept,
    }: {
      readonly values: Names;
      readonly operator: boolean;
      readonly restarted: Names;
      readonly kept: Names;
    }): Texts => [
      {
        says: [
          'Proxies get new values when their pods restart: ',
          ...listed(values, MAX_NAMES),
          operator
            ? '. The operator restarts workloads with config.linkerd.io/reconcile: auto'
            : '. Nothing restarts them automatically',
        ],
      },
      ...restarted.map((subject) => ({ says: ['The operator restarts it to apply the proxy values'], subject })),
      ...kept.map((subject) => ({ says: ['Keeps the old proxy values until it restarts'], subject })),
    ],
  },
  'proxy-setting-changed': {
    severity: 'warning',
    what: 'An annotation or a value of proxies changes, with an effect on traffic',
    why: 'It may take connections out of mTLS and policies, or subject them to policies that refuse them',
    /** `setting`: an annotation or the path of a value. `of`: the affected ports, networks, clients or policies. */
    says: ({
      object,
      setting,
      effect,
      of,
      when,
      workloads,
    }: OfObject & {
      readonly setting: string;
      readonly effect: SettingEffect;
      readonly of: Names;
      readonly when: keyof typeof WHEN;
      readonly workloads: Names;
    }) => ({
      says: [
        ...SETTING_EFFECTS[effect](of),
        ' (',
        code(setting),
        ')',
        WHEN[when],
        ...(workloads.length === 0 ? [] : ['. Affected workloads in the output: ', ...listed(workloads, MAX_NAMES)]),
      ],
      subject: object,
    }),
  },
  'injection-changed': {
    severity: 'warning',
    what: 'The proxy injection of a namespace changes',
    why: 'New pods get a proxy, or lose it together with mTLS and the protection by policies',
    fix: 'restart the workloads of the namespace when you want the change to apply',
    says: ({ object, before, after }: Moved) => ({
      says: say`Injection changes from ${before} to ${after}, for new pods`,
      subject: object,
    }),
  },
  'pod-security-changed': {
    severity: 'warning',
    what: 'A namespace gets another level of pod security',
    why: 'The API server refuses new pods that the level does not allow',
    says: ({ object, mode, before, after }: Moved & { readonly mode: string }) => ({
      says: say`Pod security (${mode}) changes from ${before} to ${after}, for new pods`,
      subject: object,
    }),
  },

  // Certificates.
  'anchor-changed': {
    severity: 'breaks-traffic',
    what: 'The trust roots of the running mesh change',
    why: 'Pods that trust only the old root refuse certificates of the new one, and the mesh stops within a day',
    fix: 'give all pods both roots first, then change the issuer, and remove the old root last: docs/moving-roots.md',
    /** `id`: the text with which the program accepts the change. */
    says: ({
      from,
      to,
      fields,
      lost,
      accepted,
    }: {
      readonly from: string;
      readonly to: string;
      readonly fields: Names;
      readonly lost: Names;
      readonly id: string;
      readonly accepted: boolean;
    }) => ({
      says: [
        ...(from === to
          ? fields.length === 0
            ? ['The mesh loses a root of trust']
            : say`The trust anchor ${to} gets a new key at once`
          : say`The mesh moves to another trust anchor, from ${from} to ${to}`),
        ...(fields.length === 0 ? [] : [', because of ', ...listed(fields, MAX_NAMES)]),
        ...(lost.length === 0 ? [] : [', and the trust bundle loses ', ...listed(lost, MAX_NAMES)]),
        '. Pods that trust only the old root refuse certificates of another root, and the mesh stops within a day: see docs/moving-roots.md',
        accepted ? '. The program accepts this change' : '',
      ],
    }),
  },
  'anchor-manager-changed': {
    severity: 'info',
    what: 'Another program manages the trust anchor; its key stays',
    says: ({ from, to }: { readonly from: string; readonly to: string }) => ({
      says: say`The trust anchor of ${from} is managed by ${to} from now on, with the same key: no pod has to restart`,
    }),
  },
  'certificate-reissued': {
    severity: 'warning',
    what: 'cert-manager reissues a certificate at once',
    fix: 'check that the programs that use its Secret load the new certificate',
    says: withFields('Reissued at once by cert-manager, because of '),
  },
  'certificate-renewal-moved': {
    severity: 'info',
    what: 'A certificate is renewed earlier or later',
    says: ({ object, before, after }: Moved) => ({
      says: say`Renewed ${after} before expiry instead of ${before}; at once if it expires within ${after}`,
      subject: object,
    }),
  },
  'certificate-next-renewal': {
    severity: 'info',
    what: 'A change of a certificate applies at its next renewal',
    says: withFields('Applied at the next renewal: '),
  },
  'certificate-secret-rewritten': {
    severity: 'info',
    what: 'The Secret of a certificate is rewritten with the same certificate',
    says: withFields('Its Secret is rewritten with the same certificate: '),
  },
  'certificate-abandoned': {
    severity: 'warning',
    what: 'A certificate is no longer renewed, and stays in its Secret until it expires',
    fix: 'delete the Secret once nothing uses it',
    says: ({ object, secret }: OfObject & { readonly secret: string }) => ({
      says: say`No longer renewed; the certificate in the Secret ${secret} stays until it expires`,
      subject: object,
    }),
  },
  'issuer-changed': {
    severity: 'warning',
    what: 'An issuer signs with another key or with other settings',
    why: 'Clients that do not trust the new CA refuse certificates that it signs',
    fix: 'check that the trust bundle contains the CA of the new issuer first',
    says: withFields('Signs with another key, or with other settings: '),
  },
  'trust-bundle-changed': {
    severity: 'warning',
    what: 'The roots of a trust bundle, or its targets, change',
    why: 'Proxies read the roots when they start, and refuse certificates of a root that they do not trust',
    fix: 'restart the meshed workloads before a certificate of a new root is issued',
    says: withFields('The trusted roots, or their targets, change: '),
  },
  'anchor-rotation-asked': {
    severity: 'warning',
    what: 'The operator begins to rotate the trust anchor',
    fix: 'follow the phases in the status of the TrustAnchor: docs/pki.md',
    says: aboutObject('The operator rotates the trust anchor'),
  },
  'anchor-policy-changed': {
    severity: 'warning',
    what: 'The rules by which the operator manages the trust anchor change',
    says: withFields('The rules by which the operator manages the trust anchor change: '),
  },

  // The sync.
  'object-removed': {
    severity: 'warning',
    what: 'An object leaves the output: Argo CD deletes it, or it stays in the cluster',
    fix: 'delete an object that stays by hand once nothing uses it',
    /** `unknown`: no ApplicationSet shows whether Argo CD deletes the object. */
    says: (
      of: OfObject &
        ({ readonly outcome: 'deleted' | 'unknown' } | { readonly outcome: 'kept'; readonly why: KeptWhy }),
    ) => ({
      says: [of.outcome === 'kept' ? WHY_KEPT[of.why] : REMOVED[of.outcome]],
      subject: of.object,
    }),
  },
  'sync-fails': {
    severity: 'error',
    what: 'Immutable fields of an object change',
    why: 'The API server refuses the change, and the sync fails',
    fix: 'delete the object right before the sync, which creates it again; until then its function is unavailable',
    says: withFields('The sync fails until you delete it, because of immutable fields: '),
  },
  'object-replaced': {
    severity: 'warning',
    what: 'Argo CD deletes an object and creates it again',
    why: 'The function of the object is unavailable until the object exists again',
    says: withFields('Deleted and recreated by Argo CD, because of '),
  },
  'crd-added': {
    severity: 'info',
    what: 'A CRD is new in the output',
    says: aboutCrd('The CRD is new'),
  },
  'crd-removed': {
    severity: 'warning',
    what: 'A CRD leaves the output, and stays in the cluster',
    says: aboutCrd('The CRD is removed from the output, and stays in the cluster'),
  },
  'crd-version-added': {
    severity: 'info',
    what: 'A CRD gets another version',
    says: withVersions(' added'),
  },
  'crd-versions-removed': {
    severity: 'error',
    what: 'A CRD loses a version in which objects are stored',
    why: 'The API server refuses the CRD, and the sync fails',
    fix: 'migrate the stored objects first: docs/upgrading.md, "CRDs that lose a version"',
    says: withVersions(
      ' removed, but still used to store objects: the API server refuses the CRD (docs/upgrading.md, "CRDs that lose a version")',
    ),
  },
  'crd-versions-at-risk': {
    severity: 'warning',
    what: 'A CRD loses a version in which an older release may have stored objects',
    why: 'If it did, the API server refuses the CRD, and the sync fails',
    fix: 'check status.storedVersions of the CRD: docs/upgrading.md, "CRDs that lose a version"',
    says: withVersions(' removed: if still in status.storedVersions, the API server refuses the CRD'),
  },
  'crd-version-unserved': {
    severity: 'warning',
    what: 'A version of a CRD is no longer served',
    why: 'Clients that request this version fail',
    fix: 'update these clients first',
    says: withVersions(' no longer served: requests for such objects fail'),
  },

  // Access.
  'server-added': {
    severity: 'breaks-traffic',
    what: 'A new Server replaces the default policy for its port',
    why: REFUSED,
    fix: 'compare the allowed clients with those that `linkerd viz stat` or `linkerd viz edges` shows',
    says: ({ server, clients }: Clients) => ({
      says: [
        'A new Server replaces the default policy for its port, and allows ',
        ...(clients.length === 0 ? ['no client'] : listed(clients, MAX_NAMES)),
      ],
      subject: `Server ${server}`,
    }),
  },
  'server-removed': {
    severity: 'opens-access',
    what: 'A Server is removed, and the default policy decides which clients reach its port',
    why: 'The default policy may allow any client, or none',
    fix: 'set config.linkerd.io/default-inbound-policy of the workload if it needs another policy',
    says: ({ server, policy }: Clients & { readonly policy: string }) => ({
      says: say`The Server is removed: the default policy, ${policy}, decides which clients reach its port`,
      subject: `Server ${server}`,
    }),
  },
  'clients-gained': {
    severity: 'opens-access',
    what: 'A Server allows more clients',
    says: withClients('Allows more clients: '),
  },
  'clients-lost': {
    severity: 'breaks-traffic',
    what: 'A Server no longer allows clients that it allowed before',
    why: REFUSED,
    fix: 'check that these clients no longer send requests',
    says: withClients('No longer allows '),
  },
  'server-unknown': {
    severity: 'warning',
    what: 'A policy for a Server that is not in the output changes',
    why: 'The diff cannot tell which clients gain or lose access',
    fix: 'compare the policy with the definition of the Server',
    says: aboutObject('Applies to a Server that is not in the output: it is unknown which clients gain or lose access'),
  },
  'traffic-policy-changed': {
    severity: 'info',
    what: 'A policy changes, but allows the same clients',
    says: aboutObject('The policy changes, but allows the same clients'),
  },
  'egress-policy-changed': {
    severity: 'warning',
    what: 'The policy for hosts outside the cluster changes',
    why: 'With Deny, hosts that no route allows are refused at once',
    fix: 'add routes for the hosts that workloads need before you deny the rest',
    says: ({ object, before, after }: Moved) => ({
      says: [
        ...say`The policy for hosts outside the cluster changes from ${before} to ${after}, at once`,
        after === 'Deny' ? ': hosts that no route allows are refused' : '',
      ],
      subject: object,
    }),
  },
  'rate-limit-changed': {
    severity: 'warning',
    what: 'Request limits change at once',
    why: 'Requests above the limit are refused with 429',
    says: withFields('Request limits change at once: '),
  },
  'admission-policy-changed': {
    severity: 'warning',
    what: 'An admission policy refuses, or warns about, other objects',
    /** `before`, `after`: the actions of all bindings. `removal`: what Argo CD does with removed objects. */
    says: ({ object, before, after, removal }: Moved & { readonly removal?: keyof typeof POLICY_REMOVED }) => ({
      says: [
        ...(before === after
          ? ['Refuses or warns about other objects']
          : say`Admission changes from ${before} to ${after}`),
        ...(removal === undefined ? [] : [POLICY_REMOVED[removal]]),
      ],
      subject: object,
    }),
  },
  'webhook-changed': {
    severity: 'warning',
    what: 'A webhook is added or removed, gets another failurePolicy, or is called for other requests',
    why: 'With failurePolicy Fail, the API server refuses these requests while the webhook does not respond',
    /** `before`, `after`: the failure policies, if the webhook exists. `fields`: fields that select its requests. */
    says: ({
      object: subject,
      webhook,
      before,
      after,
      fields,
    }: Fields & { readonly webhook: string; readonly before?: string; readonly after?: string }): Texts => {
      if (before === undefined)
        return { says: say`The webhook ${webhook} is new (failurePolicy ${after ?? ''})`, subject };
      if (after === undefined) return { says: say`The webhook ${webhook} is removed`, subject };
      const unanswered = after === 'Fail' ? 'requests are refused' : 'requests pass without it';
      const policy = say`${webhook}: failurePolicy changes from ${before} to ${after}: `;
      const scope = say`The API server calls ${webhook} for other requests: `;
      return [
        ...(before === after ? [] : [{ says: [...policy, `if it does not respond, ${unanswered}`], subject }]),
        ...(fields.length === 0 ? [] : [{ says: [...scope, ...listed(fields, MAX_NAMES)], subject }]),
      ];
    },
  },
  'rbac-changed': {
    severity: 'warning',
    what: 'A role or a binding grants more or fewer permissions',
    says: ({ object, gained, lost }: OfObject & Grants): Texts => grantTexts(object, 'Grants', { gained, lost }),
  },

  // Argo CD.
  'argocd-project-changed': {
    severity: 'warning',
    what: 'The AppProject permits Argo CD to deploy more or less',
    says: ({ object, gained, lost }: OfObject & Grants): Texts =>
      grantTexts(object, 'Argo CD may deploy', { gained, lost }),
  },
  'argocd-applications-changed': {
    severity: 'warning',
    what: 'Argo CD creates new Applications, or no longer updates some',
    says: ({ object, change }: OfObject & { readonly change: 'added' | 'removed' }) => ({
      says: [change === 'added' ? 'Argo CD creates new Applications' : 'Argo CD no longer updates its Applications'],
      subject: object,
    }),
  },
  'argocd-source-changed': {
    severity: 'warning',
    what: 'Argo CD reads another repository, revision or path',
    why: 'If the new source lacks the clusters, Argo CD deploys no changes, or prunes the deployed objects',
    says: ({ object, before, after }: Moved) => ({
      says: say`Argo CD reads ${after} instead of ${before}`,
      subject: object,
    }),
  },
  'argocd-sync-changed': {
    severity: 'warning',
    what: 'Applications are created or synced differently',
    says: withFields('Applications are created or synced differently: '),
  },
} as const satisfies Readonly<Record<string, ConsequenceEntry & { readonly says: (of: never) => Texts }>>;

function grantTexts(
  subject: string,
  verb: string,
  { gained, lost }: Readonly<Record<'gained' | 'lost', readonly string[]>>,
): Texts {
  return [
    ...(gained.length === 0 ? [] : [{ says: [`${verb} more: `, ...listed(gained, MAX_NAMES)], subject }]),
    ...(lost.length === 0 ? [] : [{ says: [`${verb} less: `, ...listed(lost, MAX_NAMES)], subject }]),
  ];
}

/** The code of a consequence. */
export type ConsequenceCode = keyof typeof CONSEQUENCES;

type DetailOf<Code extends ConsequenceCode> = { readonly code: Code } & ((typeof CONSEQUENCES)[Code]['says'] extends (
  of: infer Of extends object,
) => unknown
  ? Of
  : unknown);

type ConsequenceDetail = { [Code in ConsequenceCode]: DetailOf<Code> }[ConsequenceCode];

/** An effect of a change in its clusters. */
export type Consequence = { readonly severity: Severity } & ConsequenceDetail;

/** A consequence of a setting of proxies. */
export type SettingConsequence = { readonly severity: Severity } & DetailOf<'proxy-setting-changed'>;

/** Returns a consequence. Its severity is that of its code by default. */
export function consequence<const D extends ConsequenceDetail>(
  { code, ...others }: D,
  severity: Severity = CONSEQUENCES[code].severity,
): D & { readonly severity: Severity } {
  return { code, severity, ...others } as unknown as D & { readonly severity: Severity };
}

/** Returns the text of a consequence, or several texts if it affects workloads differently. */
export function consequenceTexts(of: Consequence): readonly ConsequenceText[] {
  const says = CONSEQUENCES[of.code].says as (of: Consequence) => Texts;
  return [says(of)].flat();
}

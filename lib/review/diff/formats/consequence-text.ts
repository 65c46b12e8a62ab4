import type { Consequence, ConsequenceCode, KeptWhy } from '../consequences/consequence';
import type { SettingEffect } from '../consequences/proxy-settings';
import { code, type Inline, listed, say } from './page';

/** The text of a consequence without its subject, so that equal ones are shown once, with all their subjects. */
export interface ConsequenceText {
  readonly says: readonly Inline[];
  /** The object, file or CRD. */
  readonly subject?: string;
}

/** Maximum number of names in a line. */
const MOST = 12;

/** Returns the text of a consequence, or several if its workloads differ. */
export function consequenceTexts(consequence: Consequence): readonly ConsequenceText[] {
  const tell = TEXTS[consequence.code] as (of: Consequence) => Texts;
  return [tell(consequence)].flat();
}

type Texts = ConsequenceText | readonly ConsequenceText[];

type Of<Code extends ConsequenceCode> = Extract<Consequence, { readonly code: Code }>;

const HOW: Readonly<Record<Of<'workload-restarts'>['how'], string>> = {
  rolling: 'Rolling restart',
  'at-once': 'Restart: all pods stop before new ones start',
  'by-hand': 'New pod template, only for pods that you delete',
  'next-run': 'The next run uses a new pod template',
  'when-resumed': 'Paused: restarts when you resume it',
};

const GONE: Readonly<Record<Of<'cluster-removed'>['objects'], string>> = {
  kept: 'The cluster leaves the output. Argo CD deletes none of its objects: see "Removing" in docs/operations.md',
  deleted: 'The cluster leaves the output, and Argo CD deletes its Applications with all their objects',
  unknown:
    'The cluster leaves the output. It is unknown what Argo CD does with its objects: no ApplicationSet of the earlier output deploys the cluster',
};

const REMOVED: Readonly<Record<'deleted' | 'unknown', string>> = {
  deleted: 'Deleted by Argo CD',
  unknown:
    'Removed from the output. It is unknown whether Argo CD deletes it: no ApplicationSet of the output deploys the cluster',
};

const WHY_KEPT: Readonly<Record<KeptWhy, string>> = {
  annotation: 'Removed from the output, kept in the cluster (Prune=false or Delete=false)',
  application: 'Removed from the output, kept in the cluster because its Application does not prune',
  folder: 'Removed from the output with its folder, kept in the cluster until you delete its Application',
  confirmation: 'Removed from the output; Argo CD deletes it when you confirm',
};

const WHEN: Readonly<Record<Of<'proxy-setting-changed'>['when'], string>> = {
  'pod-start': ', for new pods',
  rollout: ', with the restart',
  'at-once': ', at once',
};

/** The effects of settings on the ports, networks or clients of the consequence. */
const EFFECTS: Readonly<Record<SettingEffect, (of: readonly string[]) => readonly Inline[]>> = {
  'access-log': () => ['Proxies write another access log'],
  'debug-container': () => ['The debug container, which sees the traffic of its pod, is added, removed or changed'],
  'gateway-closed': () => ['Other clusters can no longer reach services through this gateway'],
  'gateway-opened': () => ['Other clusters can reach services of this cluster through this gateway'],
  'identity-not-required': (of) => ['Clients without an identity are allowed at the ports ', ...listed(of, MOST)],
  'identity-required': (of) => ['Clients without an identity are refused at the ports ', ...listed(of, MOST)],
  image: () => ['Proxies use another image'],
  'inbound-leaves-proxy': (of) => [
    'Connections to the ports ',
    ...listed(of, MOST),
    ' bypass the proxy: no mTLS, no policy, any client gets in',
  ],
  'inbound-returns-to-proxy': (of) => [
    'Connections to the ports ',
    ...listed(of, MOST),
    ' pass the proxy again: clients that no policy allows are refused',
  ],
  lifecycle: () => ['Proxies start or stop at another time relative to their containers'],
  'load-balancing': () => ['Clients balance requests differently'],
  log: () => ['Proxies log differently'],
  'opaque-ports-added': (of) => [
    'The protocol of the ports ',
    ...listed(of, MOST),
    ' is no longer detected: they carry TCP with mTLS, without routes, retries, per-request metrics or request policies',
  ],
  'opaque-ports-removed': (of) => [
    'The protocol of the ports ',
    ...listed(of, MOST),
    ' is detected: if the server speaks first, each connection waits 10 seconds',
  ],
  'outbound-leaves-proxy': (of) => [
    'Connections to the ports ',
    ...listed(of, MOST),
    ' of other workloads bypass the proxy: no mTLS, and servers that require an identity refuse them',
  ],
  'outbound-returns-to-proxy': (of) => [
    'Connections to the ports ',
    ...listed(of, MOST),
    ' of other workloads go through the proxy again',
  ],
  'policy-admits': (of) => [`Ports without a Server allow ${of.join(', ')}`],
  'policy-audits': (of) => ['The default policy changes, but allows the same clients: ', ...listed(of, MOST)],
  'policy-refuses': (of) => [`Ports without a Server refuse ${of.join(', ')}`],
  'policy-unknown': (of) => [
    'The default policy changes from or to one that this version does not know: ',
    ...listed(of, MOST),
  ],
  'proxy-added': () => ['Pods get a proxy'],
  'proxy-ports': () => ['Proxies listen on other ports: adapt scrapers, probes and network policies'],
  'proxy-removed': () => [
    'Pods lose their proxy: no mTLS, no policy protects them, and servers that require an identity refuse them',
  ],
  resources: () => ['Proxies request other resources'],
  routing: () => ['Proxies detect their ports and hosts differently'],
  'subnets-leave-proxy': (of) => [
    'Connections from and to ',
    ...listed(of, MOST),
    ' bypass the proxy: no mTLS, no policy',
  ],
  'subnets-return-to-proxy': (of) => [
    'Connections from and to ',
    ...listed(of, MOST),
    ' pass the proxy again: clients that no policy allows are refused',
  ],
  timeouts: () => ['Timeouts or retries of proxies change'],
  tracing: () => ['Traces go elsewhere, or contain other data'],
  unknown: () => ['Linkerd may read this setting; its consequences are unknown'],
  user: () => ['Proxies run as another user'],
  variables: () => ['Environment variables of proxies change'],
};

const TEXTS: { readonly [Code in ConsequenceCode]: (of: Of<Code>) => Texts } = {
  'cluster-added': () => ({ says: ['The cluster is new'] }),
  'cluster-removed': ({ objects }) => ({ says: [GONE[objects]] }),
  'release-moved': ({ chart, before, after }) => ({
    says:
      after === undefined
        ? say`${chart} ${before ?? ''} is removed`
        : before === undefined
          ? say`${chart} ${after} is new`
          : say`${chart} moves from ${before} to ${after}`,
  }),
  'chart-changed': ({ chart, namespace, before, after, values }) => {
    if (before === undefined) return { says: say`Helm now renders ${chart} ${after ?? ''} in ${namespace}` };
    if (after === undefined) return { says: say`Helm no longer renders ${chart} ${before} in ${namespace}` };
    const version = say`The chart ${chart} in ${namespace} moves from ${before} to ${after}; only Helm knows how its objects change`;
    return [
      ...(before === after ? [] : [{ says: version }]),
      ...(values.length === 0
        ? []
        : [{ says: [...say`Values of the chart ${chart} in ${namespace} change: `, ...listed(values, MOST)] }]),
    ];
  },
  'file-unreadable': ({ file, side, reason }) => ({
    says: [
      side === 'after'
        ? 'Unreadable, so Argo CD syncs nothing in its folder: '
        : 'Unreadable in the earlier output, so not compared: ',
      code(reason),
    ],
    subject: file,
  }),
  'file-unlisted': ({ file, change }) => ({
    says: [`Not written by a synthesis, and ${change}; Argo CD applies such files too`],
    subject: file,
  }),
  'file-missing': ({ file }) => ({ says: ['Listed in the index, but missing'], subject: file }),
  'index-damaged': ({ side, reason }) => ({
    says: [`The index of the ${side === 'after' ? 'later' : 'earlier'} output is damaged: `, code(reason)],
  }),
  'only-wording-changed': ({ file }) => ({
    says: ['Only order, white space or comments differ'],
    subject: file,
  }),
  'workload-restarts': ({ object, how }) => ({ says: [HOW[how]], subject: object }),
  'workload-scaled': ({ object, before, after }) => ({
    says: [`Scales from ${before ?? 'no fixed number of'} to ${after ?? 'no fixed number of'} pods`],
    subject: object,
  }),
  'proxy-configuration-changed': ({ values, operator, restarted, kept }) => [
    {
      says: [
        'Proxies get new values when their pods restart: ',
        ...listed(values, MOST),
        operator
          ? '. The operator restarts workloads with config.linkerd.io/reconcile: auto'
          : '. Nothing restarts them automatically',
      ],
    },
    ...restarted.map((subject) => ({ says: ['The operator restarts it to apply the proxy values'], subject })),
    ...kept.map((subject) => ({ says: ['Keeps the old proxy values until it restarts'], subject })),
  ],
  'injection-changed': ({ object, before, after }) => ({
    says: say`Injection changes from ${before} to ${after}, for new pods`,
    subject: object,
  }),
  'pod-security-changed': ({ object, mode, before, after }) => ({
    says: say`Pod security (${mode}) changes from ${before} to ${after}, for new pods`,
    subject: object,
  }),
  'proxy-setting-changed': ({ object, setting, effect, of, when, workloads }) => ({
    says: [
      ...EFFECTS[effect](of),
      ' (',
      code(setting),
      ')',
      WHEN[when],
      ...(workloads.length === 0 ? [] : ['. Affected workloads in the output: ', ...listed(workloads, MOST)]),
    ],
    subject: object,
  }),
  'anchor-changed': ({ from, to, fields, lost, accepted }) => ({
    says: [
      ...(from === to
        ? fields.length === 0
          ? ['The mesh loses a root of trust']
          : say`The trust anchor ${to} gets a new key at once`
        : say`The mesh moves to another trust anchor, from ${from} to ${to}`),
      ...(fields.length === 0 ? [] : [', because of ', ...listed(fields, MOST)]),
      ...(lost.length === 0 ? [] : [', and the trust bundle loses ', ...listed(lost, MOST)]),
      '. Pods that know only the old root refuse certificates under another one, and the mesh stops within a day: see docs/moving-roots.md',
      accepted ? '. The program accepts this' : '',
    ],
  }),
  'certificate-reissued': ({ object, fields }) => ({
    says: ['Reissued at once by cert-manager, because of ', ...listed(fields, MOST)],
    subject: object,
  }),
  'certificate-renewal-moved': ({ object, before, after }) => ({
    says: say`Renewed ${after} before expiry instead of ${before}; reissued now only if that time has passed`,
    subject: object,
  }),
  'certificate-next-renewal': ({ object, fields }) => ({
    says: ['Applied at the next renewal: ', ...listed(fields, MOST)],
    subject: object,
  }),
  'certificate-secret-rewritten': ({ object, fields }) => ({
    says: ['Its Secret is rewritten with the same certificate: ', ...listed(fields, MOST)],
    subject: object,
  }),
  'certificate-abandoned': ({ object, secret }) => ({
    says: say`No longer renewed; the certificate in the Secret ${secret} stays until it expires`,
    subject: object,
  }),
  'issuer-changed': ({ object, fields }) => ({
    says: ['Signs with another key, or with other settings: ', ...listed(fields, MOST)],
    subject: object,
  }),
  'trust-bundle-changed': ({ object, fields }) => ({
    says: ['The trusted roots, or their targets, change: ', ...listed(fields, MOST)],
    subject: object,
  }),
  'anchor-rotation-asked': ({ object }) => ({ says: ['The operator rotates the trust anchor'], subject: object }),
  'anchor-policy-changed': ({ object, fields }) => ({
    says: ['The operator manages the trust anchor by other rules: ', ...listed(fields, MOST)],
    subject: object,
  }),
  'object-removed': (of) => ({
    says: [of.outcome === 'kept' ? WHY_KEPT[of.why] : REMOVED[of.outcome]],
    subject: of.object,
  }),
  'sync-fails': ({ object, fields }) => ({
    says: ['The sync fails until you delete it, because of immutable fields: ', ...listed(fields, MOST)],
    subject: object,
  }),
  'object-replaced': ({ object, fields }) => ({
    says: ['Deleted and recreated by Argo CD, because of ', ...listed(fields, MOST)],
    subject: object,
  }),
  'crd-versions-removed': ({ crd, versions }) => ({
    says: [
      ...listed(versions, MOST),
      ' is removed while objects are stored in it: the API server refuses the CRD (docs/upgrading.md, "CRDs that lose a version")',
    ],
    subject: crd,
  }),
  'crd-versions-at-risk': ({ crd, versions }) => ({
    says: [...listed(versions, MOST), ' is removed: the API server refuses the CRD if objects are still stored in it'],
    subject: crd,
  }),
  'crd-version-unserved': ({ crd, versions }) => ({
    says: [...listed(versions, MOST), ' is no longer served: clients that request it fail'],
    subject: crd,
  }),
  'crd-version-added': ({ crd, versions }) => ({ says: [...listed(versions, MOST), ' is new'], subject: crd }),
  'crd-added': ({ crd }) => ({ says: ['The CRD is new'], subject: crd }),
  'crd-removed': ({ crd }) => ({
    says: ['The CRD is removed from the output, and stays in the cluster'],
    subject: crd,
  }),
  'server-added': ({ server, clients }) => ({
    says: [
      'A new Server replaces the default policy for its port, and allows ',
      ...(clients.length === 0 ? ['no client'] : listed(clients, MOST)),
    ],
    subject: `Server ${server}`,
  }),
  'server-removed': ({ server, policy }) => ({
    says: say`The Server is removed: the default policy, ${policy}, decides which clients reach its port`,
    subject: `Server ${server}`,
  }),
  'clients-gained': ({ server, clients }) => ({
    says: ['Allows more clients: ', ...listed(clients, MOST)],
    subject: `Server ${server}`,
  }),
  'clients-lost': ({ server, clients }) => ({
    says: ['No longer allows ', ...listed(clients, MOST)],
    subject: `Server ${server}`,
  }),
  'server-unknown': ({ object }) => ({
    says: ['Applies to a Server that is not in the output: it is unknown which clients gain or lose access'],
    subject: object,
  }),
  'egress-policy-changed': ({ object, before, after }) => ({
    says: [
      ...say`The policy for hosts outside the cluster changes from ${before} to ${after}, at once`,
      after === 'Deny' ? ': hosts that no route allows are refused' : '',
    ],
    subject: object,
  }),
  'rate-limit-changed': ({ object, fields }) => ({
    says: ['Request limits change at once: ', ...listed(fields, MOST)],
    subject: object,
  }),
  'traffic-policy-changed': ({ object }) => ({
    says: ['The policy changes, but allows the same clients'],
    subject: object,
  }),
  'admission-policy-changed': ({ object, before, after }) => ({
    says:
      before === after ? ['Refuses or warns about other objects'] : say`Admission changes from ${before} to ${after}`,
    subject: object,
  }),
  'webhook-changed': ({ object: subject, webhook, before, after, fields }) => {
    if (before === undefined)
      return { says: say`The webhook ${webhook} is new (failurePolicy ${after ?? ''})`, subject };
    if (after === undefined) return { says: say`The webhook ${webhook} is removed`, subject };
    const unanswered = after === 'Fail' ? 'requests are refused' : 'requests pass without it';
    const policy = say`${webhook}: failurePolicy changes from ${before} to ${after}: `;
    const scope = say`The API server calls ${webhook} for other requests: `;
    return [
      ...(before === after ? [] : [{ says: [...policy, `if it does not respond, ${unanswered}`], subject }]),
      ...(fields.length === 0 ? [] : [{ says: [...scope, ...listed(fields, MOST)], subject }]),
    ];
  },
  'rbac-changed': ({ object, gained, lost }) => grantTexts(object, 'Grants', { gained, lost }),
  'argocd-project-changed': ({ object, gained, lost }) => grantTexts(object, 'Argo CD may deploy', { gained, lost }),
  'argocd-applications-changed': ({ object, change }) => ({
    says: [change === 'added' ? 'Argo CD creates new Applications' : 'Argo CD no longer updates its Applications'],
    subject: object,
  }),
  'argocd-source-changed': ({ object, before, after }) => ({
    says: say`Argo CD reads ${after} instead of ${before}`,
    subject: object,
  }),
  'argocd-sync-changed': ({ object, fields }) => ({
    says: ['Applications are created or synced differently: ', ...listed(fields, MOST)],
    subject: object,
  }),
};

function grantTexts(
  subject: string,
  verb: string,
  { gained, lost }: Readonly<Record<'gained' | 'lost', readonly string[]>>,
): Texts {
  return [
    ...(gained.length === 0 ? [] : [{ says: [`${verb} more: `, ...listed(gained, MOST)], subject }]),
    ...(lost.length === 0 ? [] : [{ says: [`${verb} less: `, ...listed(lost, MOST)], subject }]),
  ];
}

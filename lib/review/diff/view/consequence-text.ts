import type { Consequence, ConsequenceCode } from '../consequences/consequence';
import type { SettingEffect } from '../consequences/proxy-settings';
import { code, type Inline, listed, say } from './page';

/** The words of a consequence, without its subject: consequences that say the same are told once, with all their subjects. */
export interface ConsequenceText {
  readonly says: readonly Inline[];
  /** The object, file or CRD that it is about. */
  readonly subject?: string;
}

/** The most names in a line. */
const MOST = 12;

/** Puts a consequence into words; into several statements, where workloads differ in what they do. */
export function consequenceTexts(consequence: Consequence): readonly ConsequenceText[] {
  const tell = TEXTS[consequence.code] as (of: Consequence) => Texts;
  return [tell(consequence)].flat();
}

type Texts = ConsequenceText | readonly ConsequenceText[];

type Of<Code extends ConsequenceCode> = Extract<Consequence, { readonly code: Code }>;

const HOW: Readonly<Record<Of<'workload-restarts'>['how'], string>> = {
  rolling: 'Restarts, pod by pod',
  'at-once': 'Restarts: all pods end before new ones start',
  'by-hand': 'Uses its new pod template for pods that somebody deletes',
  'next-run': 'The next run uses a new pod template',
  'when-resumed': 'Is paused, and restarts when it is resumed',
};

const GONE: Readonly<Record<Of<'cluster-removed'>['objects'], string>> = {
  kept: 'The cluster leaves the output. Argo CD deletes nothing of it: see "Removing" in docs/operations.md',
  deleted: 'The cluster leaves the output, and Argo CD deletes its Applications with all of their objects',
  unknown:
    'The cluster leaves the output. What Argo CD does with its objects is unknown: no ApplicationSet of the earlier output deploys it',
};

const WHY_KEPT: Readonly<Record<Of<'object-kept'>['why'], string>> = {
  annotation: 'Leaves the output, and stays in the cluster (Prune=false, or Delete=false)',
  application: 'Leaves the output, and stays in the cluster, as its Application does not prune',
  folder: 'Leaves the output with its folder, and stays in the cluster until somebody deletes its Application',
  confirmation: 'Leaves the output; Argo CD deletes it when somebody confirms',
};

const WHEN: Readonly<Record<Of<'proxy-setting-changed'>['when'], string>> = {
  'pod-start': ', for pods that start from then on',
  rollout: ', with the restart',
  'at-once': ', at once',
};

/** The effects of settings; the ports, networks or clients are those of the consequence. */
const EFFECTS: Readonly<Record<SettingEffect, (of: readonly string[]) => readonly Inline[]>> = {
  'access-log': () => ['Proxies write their access log in another way'],
  'debug-container': () => ['The debug container, which sees the traffic of its pod, comes, goes or differs'],
  'gateway-closed': () => ['Other clusters no longer reach services by this gateway'],
  'gateway-opened': () => ['Other clusters reach services of this one by it'],
  'identity-not-required': (of) => ['Clients without an identity get in at the ports ', ...listed(of, MOST)],
  'identity-required': (of) => ['Clients without an identity are refused at the ports ', ...listed(of, MOST)],
  image: () => ['Proxies run from another image'],
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
  lifecycle: () => ['Proxies start or end in another way, relative to their containers'],
  'load-balancing': () => ['Clients balance requests in another way'],
  log: () => ['Proxies log in another way'],
  'opaque-ports-added': (of) => [
    'The protocol of the ports ',
    ...listed(of, MOST),
    ' is no longer detected: TCP with mTLS, without routes, retries, per-request metrics or policies for requests',
  ],
  'opaque-ports-removed': (of) => [
    'The protocol of the ports ',
    ...listed(of, MOST),
    ' is detected: where the server speaks first, each connection waits 10 seconds',
  ],
  'outbound-leaves-proxy': (of) => [
    'Connections to the ports ',
    ...listed(of, MOST),
    ' of others bypass the proxy: no mTLS, and servers that ask for an identity refuse them',
  ],
  'outbound-returns-to-proxy': (of) => [
    'Connections to the ports ',
    ...listed(of, MOST),
    ' of others pass the proxy again',
  ],
  'policy-admits': (of) => [`Ports without a Server let in ${of.join(', ')}`],
  'policy-audits': (of) => ['The default policy changes and lets in the same clients: ', ...listed(of, MOST)],
  'policy-refuses': (of) => [`Ports without a Server refuse ${of.join(', ')}`],
  'policy-unknown': (of) => ['The default policy changes to or from one that is not known here: ', ...listed(of, MOST)],
  'proxy-added': () => ['Pods get a proxy'],
  'proxy-ports': () => [
    'Proxies listen at other ports: what scrapes or probes them, and network policies, have to follow',
  ],
  'proxy-removed': () => [
    'Pods lose their proxy: no mTLS, no policy guards them, and servers that ask for an identity refuse them',
  ],
  resources: () => ['Proxies ask for other resources'],
  routing: () => ['Proxies find out in another way which ports and hosts are theirs'],
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
  timeouts: () => ['Proxies wait or try again for another time'],
  tracing: () => ['Traces go elsewhere, or say something else'],
  unknown: () => ['Linkerd may read it; its consequences are not known'],
  user: () => ['Proxies run as another user'],
  variables: () => ['Proxies get other environment variables'],
};

const TEXTS: { readonly [Code in ConsequenceCode]: (of: Of<Code>) => Texts } = {
  'cluster-added': () => ({ says: ['The cluster is new'] }),
  'cluster-removed': ({ objects }) => ({ says: [GONE[objects]] }),
  'release-moved': ({ chart, before, after }) => ({
    says:
      after === undefined
        ? say`${chart} ${before ?? ''} goes`
        : before === undefined
          ? say`${chart} ${after} is new`
          : say`${chart} moves from ${before} to ${after}`,
  }),
  'chart-added': ({ chart, namespace, version }) => ({
    says: say`Helm renders ${chart} ${version} in ${namespace} from now on`,
  }),
  'chart-removed': ({ chart, namespace, version }) => ({
    says: say`Helm no longer renders ${chart} ${version} in ${namespace}`,
  }),
  'chart-version-changed': ({ chart, namespace, before, after }) => ({
    says: say`The chart ${chart} in ${namespace} goes from ${before} to ${after}; what its objects become, only Helm knows`,
  }),
  'chart-values-changed': ({ chart, namespace, values }) => ({
    says: [...say`Values of the chart ${chart} in ${namespace} differ: `, ...listed(values, MOST)],
  }),
  'file-unreadable': ({ file, side, reason }) => ({
    says: [
      side === 'after'
        ? 'Cannot be read, and Argo CD syncs nothing of its folder: '
        : 'Could not be read before, and is not compared: ',
      code(reason),
    ],
    subject: file,
  }),
  'file-unlisted': ({ file, change }) => ({
    says: [`No synthesis wrote it, and it is ${change}: Argo CD applies what stands there`],
    subject: file,
  }),
  'file-missing': ({ file }) => ({ says: ['The index lists it, and it is not there'], subject: file }),
  'index-damaged': ({ side, reason }) => ({
    says: [`The index of the ${side === 'after' ? 'later' : 'earlier'} output is damaged: it `, code(reason)],
  }),
  'only-wording-changed': ({ file }) => ({
    says: ['Nothing but order, white space or comments differs'],
    subject: file,
  }),
  'workload-restarts': ({ object, how }) => ({ says: [HOW[how]], subject: object }),
  'workload-scaled': ({ object, before, after }) => ({
    says: [`Goes from ${before ?? 'no fixed number of'} to ${after ?? 'no fixed number of'} pods`],
    subject: object,
  }),
  'proxy-configuration-changed': ({ values, operator, restarted, kept }) => [
    {
      says: [
        'Proxies get other values when their pods restart: ',
        ...listed(values, MOST),
        operator
          ? '. The operator restarts workloads with config.linkerd.io/reconcile: auto'
          : '. Nothing restarts them for it',
      ],
    },
    ...restarted.map((subject) => ({ says: ['The operator restarts it, for the values of proxies'], subject })),
    ...kept.map((subject) => ({ says: ['Keeps the old values of proxies until it restarts'], subject })),
  ],
  'injection-changed': ({ object, before, after }) => ({
    says: say`Injection goes from ${before} to ${after}, for pods that are created from then on`,
    subject: object,
  }),
  'pod-security-changed': ({ object, mode, before, after }) => ({
    says: say`Pod security (${mode}) goes from ${before} to ${after}, for pods that are created from then on`,
    subject: object,
  }),
  'proxy-setting-changed': ({ object, setting, effect, of, when, workloads }) => ({
    says: [
      ...EFFECTS[effect](of),
      ' (',
      code(setting),
      ')',
      WHEN[when],
      ...(workloads.length === 0 ? [] : ['. Of the output: ', ...listed(workloads, MOST)]),
    ],
    subject: object,
  }),
  'anchor-changed': ({ from, to, fields, lost, accepted }) => ({
    says: [
      ...(from === to
        ? fields.length === 0
          ? ['The mesh loses a root of trust']
          : say`The trust anchor ${to} gets another key at once`
        : say`The mesh moves to another trust anchor, from ${from} to ${to}`),
      ...(fields.length === 0 ? [] : [', because of ', ...listed(fields, MOST)]),
      ...(lost.length === 0 ? [] : [', and the trust bundle loses ', ...listed(lost, MOST)]),
      '. Pods that know only the old root refuse certificates of another one, and the mesh stops within a day: docs/moving-roots.md',
      accepted ? '. The program accepts it' : '',
    ],
  }),
  'certificate-reissued': ({ object, fields }) => ({
    says: ['cert-manager issues it again at once, because of ', ...listed(fields, MOST)],
    subject: object,
  }),
  'certificate-renewal-moved': ({ object, before, after }) => ({
    says: say`Is renewed ${after} before its end, not ${before}; nothing is issued now unless that time has passed`,
    subject: object,
  }),
  'certificate-next-renewal': ({ object, fields }) => ({
    says: ['With its next renewal: ', ...listed(fields, MOST)],
    subject: object,
  }),
  'certificate-secret-rewritten': ({ object, fields }) => ({
    says: ['Its Secret is written again with the same certificate: ', ...listed(fields, MOST)],
    subject: object,
  }),
  'certificate-abandoned': ({ object, secret }) => ({
    says: say`Is no longer renewed; its Secret ${secret} stays until it ends`,
    subject: object,
  }),
  'issuer-changed': ({ object, fields }) => ({
    says: ['Signs with another key, or in another way, from now on: ', ...listed(fields, MOST)],
    subject: object,
  }),
  'trust-bundle-changed': ({ object, fields }) => ({
    says: ['What the mesh trusts, or where it is written, differs: ', ...listed(fields, MOST)],
    subject: object,
  }),
  'anchor-rotation-asked': ({ object }) => ({ says: ['The operator rotates the trust anchor'], subject: object }),
  'anchor-policy-changed': ({ object, fields }) => ({
    says: ['The operator keeps the trust anchor by other rules: ', ...listed(fields, MOST)],
    subject: object,
  }),
  'object-deleted': ({ object }) => ({ says: ['Argo CD deletes it'], subject: object }),
  'object-gone': ({ object }) => ({
    says: [
      'Leaves the output. Whether Argo CD deletes it is unknown: no ApplicationSet of the output deploys the cluster',
    ],
    subject: object,
  }),
  'object-kept': ({ object, why }) => ({ says: [WHY_KEPT[why]], subject: object }),
  'sync-fails': ({ object, fields }) => ({
    says: ['The sync fails until somebody deletes it: nobody may change ', ...listed(fields, MOST)],
    subject: object,
  }),
  'object-replaced': ({ object, fields }) => ({
    says: ['Argo CD deletes it and makes it anew, for ', ...listed(fields, MOST)],
    subject: object,
  }),
  'crd-version-removed': ({ crd, versions, stored }) => ({
    says: [
      ...listed(versions, MOST),
      stored
        ? ' goes, in which objects are stored: the API server refuses the CRD (docs/operations.md, "CRDs that lose a version")'
        : ' goes: the API server refuses the CRD where objects are still stored in it',
    ],
    subject: crd,
  }),
  'crd-version-unserved': ({ crd, versions }) => ({
    says: [...listed(versions, MOST), ' is no longer served: who asks for it fails'],
    subject: crd,
  }),
  'crd-version-added': ({ crd, versions }) => ({ says: [...listed(versions, MOST), ' is new'], subject: crd }),
  'crd-added': ({ crd }) => ({ says: ['The CRD is new'], subject: crd }),
  'crd-removed': ({ crd }) => ({ says: ['The CRD is gone from the output, and stays in the cluster'], subject: crd }),
  'server-added': ({ server, clients }) => ({
    says: [
      'Its port gets a Server of its own in place of the default policy, and lets in ',
      ...(clients.length === 0 ? ['nobody'] : listed(clients, MOST)),
    ],
    subject: `Server ${server}`,
  }),
  'server-removed': ({ server, policy }) => ({
    says: say`Its Server is gone: the default policy, ${policy}, decides who reaches the port`,
    subject: `Server ${server}`,
  }),
  'clients-gained': ({ server, clients }) => ({
    says: ['Lets in more clients: ', ...listed(clients, MOST)],
    subject: `Server ${server}`,
  }),
  'clients-lost': ({ server, clients }) => ({
    says: ['No longer lets in ', ...listed(clients, MOST)],
    subject: `Server ${server}`,
  }),
  'server-unknown': ({ object }) => ({
    says: ['Guards a Server that is not in the output: who gains or loses access is unknown'],
    subject: object,
  }),
  'egress-policy-changed': ({ object, before, after }) => ({
    says: [
      ...say`The policy for hosts outside of the cluster goes from ${before} to ${after}, at once`,
      after === 'Deny' ? ': hosts that no route allows are refused' : '',
    ],
    subject: object,
  }),
  'rate-limit-changed': ({ object, fields }) => ({
    says: ['Limits requests in another way, at once: ', ...listed(fields, MOST)],
    subject: object,
  }),
  'traffic-policy-changed': ({ object }) => ({
    says: ['Guards servers, and differs; the clients that are let in are the same'],
    subject: object,
  }),
  'admission-policy-changed': ({ object, before, after }) => ({
    says:
      before === after ? ['Other objects are refused or warned of'] : say`Admission goes from ${before} to ${after}`,
    subject: object,
  }),
  'webhook-added': ({ object, webhook, failurePolicy }) => ({
    says: say`The webhook ${webhook} is new (failurePolicy ${failurePolicy})`,
    subject: object,
  }),
  'webhook-removed': ({ object, webhook }) => ({ says: say`The webhook ${webhook} is gone`, subject: object }),
  'webhook-failure-policy-changed': ({ object, webhook, before, after }) => ({
    says: [
      ...say`${webhook}: failurePolicy goes from ${before} to ${after}: `,
      after === 'Fail'
        ? 'where it does not answer, requests are refused'
        : 'where it does not answer, requests pass without it',
    ],
    subject: object,
  }),
  'webhook-scope-changed': ({ object, webhook, fields }) => ({
    says: [...say`${webhook} is asked about other requests: `, ...listed(fields, MOST)],
    subject: object,
  }),
  'rbac-widened': ({ object, grants }) => ({ says: ['Allows more: ', ...listed(grants, MOST)], subject: object }),
  'rbac-narrowed': ({ object, grants }) => ({ says: ['Allows less: ', ...listed(grants, MOST)], subject: object }),
  'argocd-project-widened': ({ object, grants }) => ({
    says: ['Argo CD may deploy more: ', ...listed(grants, MOST)],
    subject: object,
  }),
  'argocd-project-narrowed': ({ object, grants }) => ({
    says: ['Argo CD may deploy less: ', ...listed(grants, MOST)],
    subject: object,
  }),
  'argocd-applications-added': ({ object }) => ({ says: ['Argo CD has new Applications to make'], subject: object }),
  'argocd-applications-removed': ({ object }) => ({
    says: ['Its Applications are no longer kept up to date'],
    subject: object,
  }),
  'argocd-source-changed': ({ object, before, after }) => ({
    says: say`Argo CD reads ${after} for ${before}`,
    subject: object,
  }),
  'argocd-sync-changed': ({ object, fields }) => ({
    says: ['Applications are made or synced in another way: ', ...listed(fields, MOST)],
    subject: object,
  }),
};

/** All codes of consequences. */
export const CONSEQUENCE_CODES = Object.keys(TEXTS) as readonly ConsequenceCode[];

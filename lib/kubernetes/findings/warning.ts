import type { Problem } from './problem';

/**
 * Codes of all warnings, and of errors that an acknowledgement lifts, each with what it is about. They never change
 * their meaning.
 */
export const WARNING_CODES = {
  'acknowledged-nothing': 'a warning is acknowledged that nobody gave',
  'anchor-label-needed': 'a Secret with the trust anchor must get a label by other means',
  'anchor-renews-by-itself': "the trust anchor's renewal is 'automatic-unsafe'",
  'audit-by-chance': 'a Server counts clients that are allowed as audited, by chance',
  'client-account-shared': 'a policy lets in a service account that several workloads share',
  'crd-versions-doubtful': 'a CRD loses versions that may be stored',
  'crd-versions-gone': 'a CRD loses the version that is stored',
  'crds-undeclared': 'nobody says where the CRDs of some objects come from',
  'dashboard-open': 'the dashboard asks nobody who they are',
  'destination-unused': 'a fleet finds the cluster by its name, not by the server that is set',
  'foreign-file': 'a file of somebody else is applied with ours',
  'gateway-api-taken-over': 'CRDs of the Gateway API come with Linkerd that did not before',
  'hasty-renewal': 'a certificate is replaced as soon as it is issued',
  'hosts-of-others': 'the dashboard answers for hosts of others',
  'idle-values': 'values of a LinkerdConfig have no effect',
  'index-damaged': 'the index of an output folder cannot be read',
  'ingress-locked-out': 'policies let nobody of elsewhere reach what an Ingress leads to',
  'ingress-nginx-retired': 'the dashboard is exposed by a controller that nobody maintains',
  'issuer-undeclared': 'nothing emits or declares the issuer of a certificate',
  'link-anchors-unknown': 'Git does not tell whether two linked clusters trust each other',
  'link-trust-domain-unchosen': 'two linked clusters have the trust domain of clusters for which nobody chose one',
  'link-trust-domains-differ': 'two linked clusters have different trust domains',
  'linked-lines-apart': 'two linked clusters are of lines further apart than Linkerd supports',
  'mesh-unscraped': 'nothing makes the Prometheus that Viz asks scrape the mesh',
  'multus-without-webhooks': 'no webhook attaches pods to the networks',
  'no-alerts': 'nothing tells when certificates expire',
  'opaque-port-undone': 'a Server has the protocol of an opaque port detected',
  'pem-roots': 'a trust anchor in PEM is not what it should be',
  'policy-namespace-empty': 'a policy is for a namespace of which nothing else is known',
  'policy-not-kept': 'no proxy keeps a policy on some pods',
  'policy-reference-missing': 'a policy names another one that nobody writes',
  'probe-path-shared': 'a Server opens the path of a probe on pods that have no such probe',
  'probe-paths-open': 'any client may ask for the paths of probes',
  'promoted-without-charts': 'charts that lie beside the output are not beside what is promoted',
  'proxy-user-unset': "nobody sets the user of proxies to one of the namespace's",
  'proxy-version': 'proxies are of another release than their control plane',
  'release-changed': 'Linkerd moves to another release',
  'release-lines-skipped': 'the control plane moves by more than one line',
  'release-lowered': 'Linkerd goes back to an older release',
  'release-taken-for-another': 'a release that nobody knows is rendered from the templates of another one',
  'release-taken-otherwise': 'the operator takes a release that nobody knows for another one than synth does',
  'ring-overtaken': 'a release reaches a ring before an earlier one',
  'rings-not-apart': 'a change reaches all rings at once',
  'rotation-below-renewing-anchor': 'a CronJob renews certificates below an anchor that renews by itself',
  'rotation-without-slack': 'a rotation of the trust anchor may not be done before the anchor ends',
  'routes-partial': 'clients of a whole Server are refused where no route fits',
  'scraper-locked-out': 'policies let no Prometheus read metrics that it is to read',
  'server-without-pods': 'a Server selects none of the pods that are known',
  'values-not-seen': 'Argo CD does not see a change of values beside the operator',
  'webhook-ca-replaced': "a webhook's old CA is taken away before the new certificate is there",
  'workload-unreachable': 'the ports of pods are refused to everybody',
} as const satisfies Record<string, string>;

/**
 * Codes of errors that an acknowledgement lifts: what nobody supports, and somebody may have to do all the same, knowing
 * how.
 */
export const LIFTED_ERRORS: ReadonlySet<string> = new Set<WarningCode>([
  'crd-versions-gone',
  'policy-not-kept',
  'release-lines-skipped',
]);

/** Code of a warning, by which it is acknowledged. */
export type WarningCode = keyof typeof WARNING_CODES;

/** A risk that is taken knowingly. */
export interface Warning extends Problem {
  readonly code: WarningCode;
}

/** A warning that somebody has read, and why it may stand. */
export interface Acknowledgement {
  readonly code: WarningCode;
  readonly reason: string;
}

/** Checks what types cannot hold, or do not in plain JavaScript. */
export function checkAcknowledgement({ code, reason }: Acknowledgement): readonly Problem[] {
  if (!Object.hasOwn(WARNING_CODES, code)) {
    return [
      {
        code: 'warning-unknown',
        what: `There is no warning "${code}" to acknowledge`,
        why: 'It would acknowledge nothing',
        fix: `take the code from the report: one of ${Object.keys(WARNING_CODES).join(', ')}`,
      },
    ];
  }
  if (typeof reason === 'string' && reason.trim() !== '') return [];
  return [
    {
      code: 'reason-missing',
      what: `The warning "${code}" is acknowledged without a reason`,
      why: 'The next reader cannot know whether it still holds',
      fix: 'say why the risk may be taken',
    },
  ];
}

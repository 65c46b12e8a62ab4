import { catalogue } from '#base/findings/catalogue';
import type { Named } from '#base/named';
import { shellWord } from '#base/shell-word';

const OUTAGE =
  'Proxies and the identity controller read the trust anchors only when they start. All of them must restart after the anchor is renewed and before the identity issuer is. Proxies that do not restart reject certificates of the new issuer. If identity does not restart, it rejects the new issuer, and the mesh stops when the old issuer expires';

const UNWATCHED =
  'Synth does not know the current time, so it cannot report that the anchor must be rotated or that a certificate was not renewed, and cert-manager may show a Certificate as Ready after it has expired';
const WATCH = 'set alerts (in a LinkerdMesh: monitoring), and let Prometheus scrape cert-manager';

const ROTATE_BY_HAND =
  "set trustAnchor.rotation to 'manual' and remove trustAnchor.operator (in CertManagerPKI.fromExisting: remove trustAnchor)";

const isOff = ({ path, value }: { path: string; value: string }) =>
  `values.${path} is ${value}, which turns off a component that the mesh needs`;
const removeValue = ({ path }: { path: string }) => `remove ${path} from values`;

/** When each step of a rotation ends, counted from its start, if all steps take their maximum. */
export interface Timeline {
  /** How long before the expiry of the anchor the rotation begins. */
  readonly renewBefore: string;
  /** When new pods trust the next anchor. */
  readonly announced: string;
  /** When identity signs with the next anchor. */
  readonly signing: string;
  /** When the last certificate of the old anchor has expired. */
  readonly expired: string;
  /** When the rotation ends. */
  readonly needed: string;
  /** How long the old anchor has been expired when the rotation ends. */
  readonly late: string;
}

const stepsOf = ({ renewBefore, announced, signing, expired }: Omit<Timeline, 'needed' | 'late'>) =>
  `The rotation begins ${renewBefore} before the anchor expires. If each step takes its maximum, new pods trust the next anchor after ${announced}, identity signs with it after ${signing}, and the last certificate of the old anchor expires after ${expired}`;
const cutOff = ({ late }: Pick<Timeline, 'late'>) =>
  `By then the old anchor has been expired for ${late}, and pods that trust no other anchor are cut off`;

const READY_TO_ADOPT =
  'let cert-manager issue the identity issuer, and trust-manager write the roots, as docs/helm-anchor.md describes; or do not rotate the anchor (remove trustAnchor or --rotation)';

const BY_NAME =
  "The operator finds the objects of the chain by their names in Linkerd's guide, and changes no other objects";

function missingMember({ certificate, members }: Named<'certificate' | 'members'>): string {
  return `${certificate} lacks ${members}`;
}

const INCOMPLETE =
  'A validity needs both duration and renewBefore, the time before expiry at which the certificate is renewed';

/** Findings about the PKI, cert-manager and trust-manager. */
export const PKI_FINDINGS = catalogue({
  // Who rotates the trust anchor.
  'anchor-rotation-refused/undecided': {
    severity: 'error',
    what: ({ version }: { version: string }) =>
      `trustAnchor.rotation is not set, so cert-manager ${version} would renew the trust anchor automatically`,
    why: OUTAGE,
    fix: "set trustAnchor.rotation to 'manual' (cert-manager v1.21.1 or later), which disables the renewal, together with alerts; to 'operator', with a ReconcilerOperator; or to 'automatic-unsafe' if another tool restarts all proxies in time",
  },
  'anchor-rotation-refused/unknown': {
    severity: 'error',
    what: ({ rotation }: { rotation: string }) => `trustAnchor.rotation is ${rotation}, which is not a rotation mode`,
    why: `cert-manager would renew the trust anchor automatically. ${OUTAGE}`,
    fix: ({ known }: { known: string }) => `set it to one of ${known}`,
  },
  'anchor-rotation-refused/unsupported': {
    severity: 'error',
    what: ({ version }: { version: string }) => `trustAnchor.rotation is 'manual' with cert-manager ${version}`,
    why: 'Certificates have the field renewal.policy since cert-manager 1.21; earlier releases renew the anchor automatically',
    fix: "let the operator rotate it (rotation 'operator'), use cert-manager v1.21.1, or set trustAnchor.rotation to 'automatic-unsafe'",
  },
  'anchor-rotation-refused/operator-missing': {
    severity: 'error',
    what: "trustAnchor.rotation is 'operator', but the control plane has no ReconcilerOperator",
    why: 'Only the operator replaces the trust anchor. In a new mesh, it also creates the first anchor and the ClusterIssuer linkerd-identity-issuer: without them, proxies get no certificates',
    fix: `add a ReconcilerOperator for the control plane (in a LinkerdMesh: set its prop operator, for example to {}), or ${ROTATE_BY_HAND}`,
  },
  'anchor-rotation-refused/operator-namespaces': {
    severity: 'error',
    what: "trustAnchor.rotation is 'operator', but the ReconcilerOperator is limited to some namespaces",
    why: 'The operator retires an anchor when all pods trust the next one. It would not see meshed pods in other namespaces, and would cut them off, so it refuses to start',
    fix: `remove namespaces from ReconcilerOperator, or ${ROTATE_BY_HAND}`,
  },
  'anchor-rotation-refused/operator-unused': {
    severity: 'error',
    what: ({ rotation }: { rotation: string }) =>
      `trustAnchor.operator is set, but trustAnchor.rotation is ${rotation}`,
    why: 'With this rotation the operator does not rotate the anchor, so trustAnchor.operator has no effect',
    fix: "remove trustAnchor.operator, or set trustAnchor.rotation to 'operator'",
  },
  'anchor-rotation-refused/operator-late': {
    severity: 'error',
    what: 'Objects of the PKI were read before the ReconcilerOperator that rotates its anchor was created',
    why: 'These objects are for an anchor that no operator rotates, and other objects already depend on them',
    fix: 'create ReconcilerOperator before the App or its charts are synthesized, or set trustAnchor.rotation',
  },
  // A mesh that another tool installed.
  'anchor-not-adoptable/roots-of-chart': {
    severity: 'error',
    what: 'identity.externalCA of the installed control plane is not true, so its chart writes the trust roots into ConfigMap linkerd-identity-trust-roots',
    why: 'The next upgrade of the chart would restore the old roots, and pods that start afterwards would not trust certificates of a new anchor',
    fix: READY_TO_ADOPT,
  },
  'anchor-not-adoptable/issuer-of-chart': {
    severity: 'error',
    what: "identity.issuer.scheme of the installed control plane is not kubernetes.io/tls, so the identity issuer's certificate and key come from the values of its chart",
    why: 'No Certificate of cert-manager renews the identity issuer, so a new anchor would never sign it',
    fix: READY_TO_ADOPT,
  },
  'anchor-not-adoptable/setting': {
    severity: 'error',
    what: ({ path, installed, prop }: { path: string; installed: string; prop: string }) =>
      `${path} of the installed control plane is ${installed}, but ${prop} of its PKI has another value`,
    why: 'The operator would wait for certificates of another lifetime or name, and could retire an anchor that proxies still need',
    fix: ({ prop }: { prop: string; path: string; installed: string }) =>
      `set ${prop} in CertManagerPKI.fromExisting to the installed value`,
  },
  'anchor-not-adoptable/no-certificate': {
    severity: 'error',
    what: ({ namespace }: { namespace: string }) =>
      `cert-manager has no Certificate for Secret linkerd-identity-issuer in namespace ${namespace}: Helm, Terraform, linkerd install or an administrator created its key`,
    why: 'cert-manager does not renew the identity issuer, so a new anchor would never sign it',
    fix: READY_TO_ADOPT,
  },
  'anchor-not-adoptable/name': {
    severity: 'error',
    what: ({ found, name, namespace }: { found: string; name: string; namespace: string }) =>
      `Certificate ${found} in namespace ${namespace} is not named ${name}`,
    why: BY_NAME,
    fix: ({ name, namespace }: { name: string; namespace: string }) =>
      `delete the Certificate (its Secret stays, unless cert-manager runs with --enable-certificate-owner-ref), run kubectl annotate -n ${shellWord(namespace)} secret/${shellWord(name)} cert-manager.io/certificate-name=${shellWord(name)} --overwrite, and then apply the Certificate under that name: no new certificate is issued`,
  },
  'anchor-not-adoptable/issuer': {
    severity: 'error',
    what: ({ found }: { found: string; namespace: string }) =>
      `The Certificate linkerd-identity-issuer is signed by ${found}, not by ClusterIssuer linkerd-identity-issuer`,
    why: BY_NAME,
    fix: ({ found, namespace }: { found: string; namespace: string }) =>
      `copy the Secret of ${found}'s CA to Secret linkerd-trust-anchor in namespace ${namespace}, create the ClusterIssuer linkerd-identity-issuer with ca.secretName: linkerd-trust-anchor, and name it in issuerRef of the Certificate. The anchor of an issuer outside of cert-manager, such as Vault, cannot be rotated`,
  },
  'anchor-not-adoptable/no-secret': {
    severity: 'error',
    what: 'The ClusterIssuer linkerd-identity-issuer does not sign with a Secret: it is missing, or its CA is outside of cert-manager, as with Vault',
    why: 'The operator replaces an anchor by pointing this ClusterIssuer at the Secret of the next anchor',
    fix: ({ namespace }: { namespace: string }) =>
      `create it with ca.secretName: linkerd-trust-anchor, a Secret in namespace ${namespace}; if the CA is outside of cert-manager, do not rotate it (remove --rotation)`,
  },
  'anchor-not-adoptable/secret': {
    severity: 'error',
    what: ({ found }: { found: string; namespace: string }) =>
      `The ClusterIssuer linkerd-identity-issuer signs with the Secret ${found}, and not with linkerd-trust-anchor`,
    why: BY_NAME,
    fix: ({ found, namespace }: { found: string; namespace: string }) =>
      `copy Secret ${found} to Secret linkerd-trust-anchor in namespace ${namespace}, with its key and certificate unchanged, and name it in ca.secretName`,
  },
  'anchor-not-adoptable/source': {
    severity: 'error',
    what: ({ source }: { source: string; label: string }) =>
      `Bundle linkerd-identity-trust-roots has the source ${source}, which the printed Bundle lacks`,
    why: 'The roots of this source would be removed from the bundle, and pods that start afterwards would not trust certificates of these roots',
    fix: ({ label }: { source: string; label: string }) =>
      `put the roots that the mesh still needs into a Secret of the trust namespace, with the key tls.crt and the label ${label}, name that Secret in the Bundle instead, and print the Certificates and Bundles again`,
  },
  'anchor-renewal-automatic': {
    severity: 'warning',
    what: "trustAnchor.rotation is 'automatic-unsafe'",
    why: OUTAGE,
    fix: "let the operator rotate the anchor, with any version of cert-manager: add a ReconcilerOperator and remove rotation; or set rotation to 'manual', with cert-manager v1.21.1 or later. Until then restart all meshed workloads when the alert LinkerdTrustAnchorRenewed fires",
  },
  'anchor-rotation-may-be-late/restarts': {
    severity: 'warning',
    what: ({ renewBefore, needed, workloads }: Timeline & { workloads: number }) =>
      `trustAnchor.renewBefore is ${renewBefore}, but a rotation takes up to ${needed} if ${workloads} workloads have to restart (trustAnchor.operator.workloads)`,
    why: (times: Timeline & { workloads: number; parallelRestarts: number }) =>
      `${stepsOf(times)}. The restarts of ${times.workloads} workloads, ${times.parallelRestarts} at a time, end after ${times.needed}. ${cutOff(times)}`,
    fix: ({ proposed }: { proposed: string }) =>
      `set trustAnchor to ${proposed}, or restart more workloads at a time (trustAnchor.operator.laggards.maxUnavailableWorkloads)`,
  },
  'anchor-rotation-may-be-late/signature': {
    severity: 'warning',
    what: ({ renewBefore, toSign, needed }: { renewBefore: string; toSign: string; needed: string }) =>
      `trustAnchor.renewBefore is ${renewBefore}, but a rotation with a bridge that a user signs needs ${needed}: ${toSign} for the signature, and the rest for restarts if it is missing`,
    why: ({ needed, workloads }: { needed: string; workloads: number }) =>
      `If the bridge is not signed, ${workloads} workloads (trustAnchor.operator.workloads) have to restart before the anchor expires. The operator starts the rotation earlier than renewBefore, up to ${needed} before the expiry`,
    fix: ({ proposed }: { proposed: string }) =>
      `set trustAnchor to ${proposed}, or restart more workloads at a time (trustAnchor.operator.laggards.maxUnavailableWorkloads)`,
  },

  // Names and domains.
  'name-too-long/anchor': {
    severity: 'error',
    what: ({ name, length }: { name: string; length: number }) =>
      `The common name of trust anchors "${name}" has ${length} characters`,
    why: ({ most }: { most: number }) =>
      `The operator prefixes it with the number of the generation, and X.509 and cert-manager's webhook allow at most 64 characters in total: ${most} without the prefix`,
    fix: "choose a shorter trustDomain or control plane namespace, or rotation 'manual'",
  },
  'name-too-long/issuer': {
    severity: 'error',
    what: ({ name, length }: { name: string; length: number }) =>
      `The common name of the identity issuer "${name}" has ${length} characters`,
    why: ({ most }: { most: number }) =>
      `X.509 and cert-manager's webhook allow at most ${most} characters in the common name of a certificate`,
    fix: 'choose a shorter trustDomain or control plane namespace',
  },
  'cluster-domain-differs': {
    severity: 'error',
    what: ({ clusterDomain, ofCluster }: { clusterDomain: string; ofCluster: string }) =>
      `clusterDomain is "${clusterDomain}", but the domain of the cluster is "${ofCluster}"`,
    why: 'Proxies look up services, including the control plane, by names in clusterDomain, which do not exist in the cluster',
    fix: 'remove clusterDomain, or set the domain of the cluster; for another domain of identities, set trustDomain',
  },

  // Durations of certificates.
  'validity-refused/incomplete': {
    severity: 'error',
    what: missingMember,
    why: INCOMPLETE,
    fix: ({ certificate, proposed }: Named<'certificate' | 'proposed'>) => `set ${certificate} to ${proposed}`,
  },
  'validity-refused/incomplete-issuer': {
    severity: 'error',
    what: missingMember,
    why: ({ reach }: Named<'reach'>) =>
      `${INCOMPLETE}; the identity issuer must be renewed ${reach} before its expiry, the lifetime of the certificates that it signs`,
    fix: ({ proposed, kept, lifetime }: Named<'proposed' | 'kept' | 'lifetime'>) =>
      `set identityIssuer to ${kept} and issuanceLifetime to ${lifetime}, or set identityIssuer to ${proposed}`,
  },
  'validity-refused/too-short': {
    severity: 'error',
    what: ({ certificate, duration }: { certificate: string; duration: string }) =>
      `${certificate}.duration is ${duration}, less than 1h`,
    why: "cert-manager's webhook refuses a certificate that is valid for less than 1h",
    fix: ({ certificate, proposed }: { certificate: string; proposed: string }) =>
      `set ${certificate}.duration to ${proposed}`,
  },
  'validity-refused/renewed-too-late': {
    severity: 'error',
    what: ({ certificate, renewBefore }: { certificate: string; renewBefore: string }) =>
      `${certificate}.renewBefore is ${renewBefore}, less than 5m`,
    why: "cert-manager's webhook refuses a renewal less than 5m before expiry",
    fix: ({ certificate, proposed }: { certificate: string; proposed: string }) =>
      `set ${certificate}.renewBefore to ${proposed}`,
  },
  'validity-refused/inverted': {
    severity: 'error',
    what: ({ certificate, renewBefore, duration }: Record<'certificate' | 'renewBefore' | 'duration', string>) =>
      `${certificate}.renewBefore is ${renewBefore}, but its duration is ${duration}`,
    why: "The certificate would be due for renewal before it is issued, and cert-manager's webhook refuses it",
    fix: ({ certificate, proposed }: { certificate: string; proposed: string }) => `set ${certificate} to ${proposed}`,
  },
  'validity-refused/lifetime-zero': {
    severity: 'error',
    what: 'issuanceLifetime is 0',
    why: 'The identity controller treats 0 as one year: certificates of proxies would outlive their issuer, and other proxies would reject them after the issuer has expired',
    fix: 'set issuanceLifetime to Duration.hours(24), which is the default',
  },
  'validity-refused/anchor-renewed-late': {
    severity: 'error',
    what: ({ renewBefore, duration }: { renewBefore: string; duration: string }) =>
      `trustAnchor.renewBefore is ${renewBefore}, and its duration is ${duration}`,
    why: ({ age }: { age: string }) =>
      `renewBefore counts back from the expiry: the anchor would be due for renewal every ${age}. Unless the operator rotates it, every proxy of the mesh must restart each time`,
    fix: ({ proposed }: { proposed: string }) => `set trustAnchor to ${proposed}`,
  },
  'validity-refused/rotation': {
    severity: 'error',
    what: ({ renewBefore, needed }: { renewBefore: string; needed: string }) =>
      `trustAnchor.renewBefore is ${renewBefore}, but a rotation takes up to ${needed} even if no workload has to restart`,
    why: (times: Timeline) => `${stepsOf(times)}. ${cutOff(times)}`,
    fix: ({ proposed }: { proposed: string }) => `set trustAnchor to ${proposed}`,
  },
  'certificate-outlives-issuer/leaf': {
    severity: 'error',
    what: ({
      renewBefore,
      issuanceLifetime,
      clockSkewAllowance,
    }: Record<'renewBefore' | 'issuanceLifetime' | 'clockSkewAllowance', string>) =>
      `identityIssuer.renewBefore is ${renewBefore}, less than ${issuanceLifetime} (issuanceLifetime) + ${clockSkewAllowance} (clockSkewAllowance)`,
    why: 'A certificate that is signed right before the issuer is renewed outlives the issuer: other proxies reject it after the issuer has expired',
    fix: ({ proposed, lifetime }: Named<'proposed' | 'lifetime'>) =>
      `set identityIssuer to ${proposed}, or issuanceLifetime to ${lifetime}`,
  },
  'certificate-outlives-issuer/issuer': {
    severity: 'error',
    what: ({ duration, renewBefore }: { duration: string; renewBefore: string }) =>
      `identityIssuer.duration is ${duration}, longer than trustAnchor.renewBefore, which is ${renewBefore}`,
    why: 'An issuer that is signed right before the anchor is renewed outlives its anchor: after the anchor has expired, identity refuses the issuer and issues no certificates',
    fix: ({ proposed }: { proposed: string }) => `set trustAnchor to ${proposed}`,
  },
  'certificate-outlives-issuer/webhook': {
    severity: 'error',
    what: ({ duration, renewBefore }: { duration: string; renewBefore: string }) =>
      `webhooks.duration is ${duration}, longer than webhookIssuer.renewBefore, which is ${renewBefore}`,
    why: 'A serving certificate that is signed right before its CA is renewed outlives the CA: after the CA has expired, the API server can no longer call the webhook',
    fix: ({ proposed }: { proposed: string }) => `set webhookIssuer to ${proposed}`,
  },
  'certificate-renewal-loop': {
    severity: 'warning',
    what: ({ certificate, every }: { certificate: string; every: string }) =>
      `${certificate} is renewed every ${every} (duration minus renewBefore)`,
    why: 'renewBefore is the time before expiry at which a certificate is replaced: this one is replaced less than 1h after it is issued',
    fix: ({ certificate }: { certificate: string }) =>
      `make ${certificate}.duration at least 1h longer than ${certificate}.renewBefore, which is the time that its replacement may take`,
  },

  // The source of the trust anchor, and its issuer.
  'trust-anchor-refused/generation': {
    severity: 'error',
    what: ({ generation }: { generation: number }) =>
      `trustAnchor.generation is ${generation}, not a whole number of 0 or more`,
    why: 'cert-manager would create another anchor, which no proxy trusts',
    fix: 'set it to the number in the label config.linkerd.io/generation of the Secret with which the ClusterIssuer linkerd-identity-issuer signs; 0 if that Secret is linkerd-trust-anchor',
  },
  'trust-anchor-refused': {
    severity: 'error',
    what: ({ path, value }: { path: string; value: string }) => `${path} is ${value}, which is not allowed`,
    why: 'The API server would refuse the TrustAnchor, or synth could not compute how long a rotation takes',
    fix: ({ allowed }: { allowed: string }) => `set it to ${allowed}`,
  },
  'anchor-constraint-refused/unsupported': {
    severity: 'error',
    what: ({ version }: { version: string }) =>
      `The anchor of a cluster must be constrained to a trust domain, but cert-manager ${version} does not support name constraints`,
    why: 'cert-manager refuses the Certificate, or signs it without the constraint: the operator then withholds the certificate',
    fix: 'use cert-manager 1.17 or later, or remove trustDomain from certifies and constrained from bridge',
  },
  'anchor-constraint-refused/own-domain': {
    severity: 'error',
    what: ({ cluster, trustDomain, own }: Record<'cluster' | 'trustDomain' | 'own', string>) =>
      `certifies constrains ${cluster} to the trust domain ${trustDomain}, which includes the trust domain of this cluster, ${own}`,
    why: 'The other cluster could issue all identities of this cluster, despite the constraint',
    fix: 'use a trust domain for the other cluster that is not a parent of this one; or remove trustDomain, if the other cluster may issue these identities',
  },
  'anchor-certified-unconstrained': {
    severity: 'warning',
    what: ({ cluster }: { cluster: string }) =>
      `certifies gives the anchor of cluster ${cluster} a certificate without a constraint`,
    why: ({ cluster }: { cluster: string }) =>
      `An attacker who controls ${cluster} can issue every identity of this mesh, including those of this cluster, until this anchor has been replaced and all pods have restarted`,
    fix: 'if the other cluster has a different trust domain, set trustDomain of certifies to it, and constrained: true in bridge of that cluster; if both share one trust domain and one owner, acknowledge the warning',
  },
  'anchor-certified-unconstrained/release': {
    severity: 'warning',
    what: ({ cluster, trustDomain, version }: Record<'cluster' | 'trustDomain' | 'version', string>) =>
      `certifies constrains cluster ${cluster} to ${trustDomain}, but proxies of ${version} apply the constraint only to DNS names`,
    why: ({ cluster }: { cluster: string }) =>
      `An attacker who controls ${cluster} can issue every SPIFFE identity of this mesh, including those of this cluster: proxies refuse them from edge-26.4.4 on (rustls-webpki 0.103.12)`,
    fix: 'upgrade Linkerd to edge-26.4.4 or later, or acknowledge the warning',
  },
  'trust-anchor-refused/source-ambiguous': {
    severity: 'error',
    what: ({ has }: { has: string }) =>
      `trustAnchor.roots takes one of secretName and certificates, but has ${has} of them`,
    why: 'With both, proxies would trust only one of them, and reject certificates of the other; with neither, they have no trust anchors and do not start',
    fix: 'set one: secretName, the Secret that has the certificates, or certificates, their text in PEM',
  },
  'trust-anchor-refused/issuer-secret': {
    severity: 'error',
    what: 'The trust anchor is read from linkerd-identity-issuer, the Secret of the identity issuer',
    why: 'Its ca.crt changes only when the issuer is renewed: after a rotation of the anchor, proxies would get the new anchor too late, and lose the old one immediately',
    fix: 'name the Secret that contains the anchor',
  },
  'trust-anchor-refused/issuer-kind': {
    severity: 'error',
    what: ({ kind }: { kind: string }) => `trustAnchor.issuer.kind is "${kind}", in the group cert-manager.io`,
    why: 'cert-manager has no issuers of this kind: the identity issuer would never be signed, and the control plane would not start',
    fix: ({ kinds }: { kinds: string }) => `set kind to ${kinds}, or group to that of the external issuer`,
  },
  'trust-anchor-refused/incomplete': {
    severity: 'error',
    what: ({ field, content }: { field: string; content: string }) => `${field} contains ${content}`,
    why: 'The trust bundle would lack an anchor, and proxies would reject its certificates',
    fix: 'pass complete certificates, from "-----BEGIN CERTIFICATE-----" to "-----END CERTIFICATE-----"',
  },
  'trust-anchor-refused/not-ca': {
    severity: 'error',
    what: ({ block, subject }: { block: string; subject: string }) => `${block} (${subject}) is not a CA certificate`,
    why: 'The identity controller rejects an issuer that such a certificate signed, and issues no certificates',
    fix: 'pass the certificate of the CA that signs the identity issuer',
  },
  'trust-anchor-refused/key-type': {
    severity: 'error',
    what: ({ block, subject, key }: Record<'block' | 'subject' | 'key', string>) =>
      `${block} (${subject}) has a key of type ${key}`,
    why: 'Linkerd supports only anchors with ECDSA P-256, RSA 2048 and RSA 4096 keys (linkerd check: l5d-identity-trustAnchors-use-supported-crypto)',
    fix: 'use an anchor with an ECDSA P-256 key',
  },
  'trust-anchor-refused/unreadable': {
    severity: 'error',
    what: ({ block, label }: { block: string; label: string }) =>
      `${block}, labelled "${label}", is not a readable certificate`,
    why: 'trust-manager refuses the whole bundle because of it',
    fix: 'replace it with an X.509 certificate in PEM, or remove it',
  },
  'issuer-undeclared': {
    severity: 'warning',
    what: ({ issuer }: { issuer: string }) =>
      `Certificates are issued by the ${issuer}, which no construct emits or declares`,
    why: 'Without it cert-manager issues no certificate, and pods that mount the certificate do not start',
    fix: ({ reference }: { reference: string }) =>
      `emit it, or declare that it exists: declareReferences(chart, { external: [${reference}] })`,
  },
  'trust-anchor-unlabelled': {
    severity: 'warning',
    what: ({ secret, label }: { secret: string; label: string }) =>
      `The trust bundle finds the Secret ${secret} only by the label ${label}, which this library does not set`,
    why: 'Without the label the bundle has no anchor, and the control plane does not start',
    fix: ({ namespace, secretName, label }: Record<'namespace' | 'secretName' | 'label', string>) =>
      `set the label where the Secret is created (the value previous also works), or once with: kubectl label -n ${shellWord(namespace)} secret/${shellWord(secretName)} ${label}`,
  },
  'private-key-found/roots': {
    severity: 'error',
    what: ({ block }: { block: string }) => `${block} is a private key`,
    why: 'It would be committed to Git: with the key, any reader of the repository can impersonate every workload',
    fix: 'remove it, and consider the key compromised if it was ever committed',
  },
  'trust-root-duplicate': {
    severity: 'warning',
    what: ({ block, subject }: { block: string; subject: string }) => `${block} repeats the certificate ${subject}`,
    why: 'The trust bundle contains it only once; another certificate, such as the previous anchor, may be missing',
    fix: 'remove the duplicate',
  },
  'certificate-alerts-missing': {
    severity: 'warning',
    what: 'No alert watches the certificates of the PKI',
    why: UNWATCHED,
    fix: WATCH,
  },
  'certificate-alerts-missing/anchor': {
    severity: 'warning',
    what: ({ subject, end }: { subject: string; end: string }) =>
      `No alert watches the trust anchor ${subject}, which expires on ${end}`,
    why: UNWATCHED,
    fix: WATCH,
  },

  // cert-manager and trust-manager.
  'cert-manager-value-refused/controller': {
    severity: 'error',
    what: isOff,
    why: 'No certificate would be issued or renewed: the control plane would not start',
    fix: removeValue,
  },
  'cert-manager-value-refused/cainjector': {
    severity: 'error',
    what: isOff,
    why: 'The configurations of webhooks would have no CA: the API server would trust none of the webhooks, and pods would get no proxy or be refused',
    fix: removeValue,
  },
  'cert-manager-value-refused/webhook': {
    severity: 'error',
    what: isOff,
    why: "The API server calls cert-manager's webhook for each Certificate and Issuer, and refuses them while the webhook does not answer",
    fix: removeValue,
  },
  'cert-manager-value-refused/unknown': {
    severity: 'error',
    what: ({ path, version }: { path: string; version: string }) =>
      `values.${path} is set, which the chart of cert-manager ${version} does not have`,
    why: 'The schema of the chart refuses unknown values, so Argo CD could not render the chart',
    fix: ({ path }: { path: string }) => `remove ${path}, or use a newer version of cert-manager`,
  },
  'cert-manager-value-refused/namespace': {
    severity: 'error',
    what: ({ value, namespace }: { value: string; namespace: string }) =>
      `values.namespace is ${value}, but trust-manager is installed in ${namespace}`,
    why: 'Argo CD may write only to the namespace in which it installs the release: the sync fails',
    fix: 'remove namespace from values: trust-manager is installed in the namespace of cert-manager, which CertManager sets',
  },
  'webhook-ca-replaced': {
    severity: 'warning',
    what: ({ version }: { version: string }) =>
      `The cainjector of cert-manager ${version} replaces the CA of a webhook at once when webhookIssuer is renewed`,
    why: 'Until the webhook has loaded its new certificate, which takes about a minute, the API server rejects it',
    fix: 'use cert-manager 1.19 or later, which keeps the old CA next to the new one, or give webhookIssuer a long duration',
  },
  'trust-manager-mismatch/trust-namespace': {
    severity: 'error',
    what: ({ trustNamespace, namespace }: { trustNamespace: string; namespace: string }) =>
      `trust-manager reads Secrets of namespace ${trustNamespace}, but the Secret of the trust anchor is in ${namespace}`,
    why: 'The bundle would find no anchor, and the control plane would not start',
    fix: ({ namespace }: { namespace: string }) => `set the trust namespace of trust-manager to ${namespace}`,
  },
  'trust-manager-mismatch/members': {
    severity: 'error',
    what: ({ version }: { version: string }) =>
      `trustAnchor.operator.members names clusters, but trust-manager is ${version}`,
    why: 'Before 0.13, trust-manager fails if a selector matches nothing, so the Bundle is written without its selector of ConfigMaps. It would never get the anchors of other clusters, and no old anchor would be retired',
    fix: 'use trust-manager 0.13 or later, or remove members',
  },
  'trust-manager-mismatch/target-namespace': {
    severity: 'error',
    what: ({ allowed, namespace }: { allowed: string; namespace: string }) =>
      `trust-manager may write only to ${allowed} (values.app.targetNamespaces), not to ${namespace}`,
    why: 'The control plane would wait for its trust roots and never start',
    fix: ({ namespace }: { namespace: string }) =>
      `add "${namespace}" to app.targetNamespaces of TrustManager, or remove app.targetNamespaces`,
  },
});

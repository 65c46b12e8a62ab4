import type { Construct } from 'constructs';
import type { Problem } from '#base/findings/problem';
import { suggest } from '#base/suggest';
import { checkDnsSubdomain } from '#kubernetes/names';
import { apiGroup } from '#kubernetes/objects/scope';
import type { Warning } from '../../checks/warnings';
import { addRule } from '../../gitops/tree/add-rule';
import { Cluster } from '../../gitops/tree/cluster';
import type { Surroundings } from '../../gitops/tree/read-tree';
import { PKI_FINDINGS } from './findings';
import type { IssuerReference } from './trust-anchor';

const CERT_MANAGER = 'cert-manager.io';

const OWN_ISSUERS: readonly string[] = ['ClusterIssuer', 'Issuer'];

/** Reports problems that keep cert-manager from finding an issuer. */
export function checkIssuer({
  name,
  kind = 'ClusterIssuer',
  group = CERT_MANAGER,
}: IssuerReference): readonly Problem[] {
  const problems = checkDnsSubdomain('trustAnchor.issuer.name', name);
  if (group !== CERT_MANAGER || OWN_ISSUERS.includes(kind)) return problems;
  const [similar] = suggest(kind, OWN_ISSUERS);
  return [...problems, PKI_FINDINGS.trustAnchorRefusedIssuerKind({ kind, kinds: similar ?? OWN_ISSUERS.join(' or ') })];
}

interface NamedIssuer extends IssuerReference {
  readonly namespace: string;
}

/**
 * Warns about an issuer that is neither emitted nor declared, where the reference check does not: in a plain cdk8s App,
 * which may be only a part of a cluster, and for issuers other than cert-manager's own.
 */
export function addIssuerWarnings(scope: Construct, issuer: () => NamedIssuer | undefined): void {
  addRule(scope, (around) => {
    const named = issuer();
    if (named === undefined) return [];
    const isChecked = Cluster.find(scope) !== undefined && groupOf(named) === CERT_MANAGER;
    return isChecked || isKnown(named, around) ? [] : [undeclaredIssuer(named)];
  });
}

function isKnown({ name, kind = 'ClusterIssuer', namespace, ...rest }: NamedIssuer, around: Surroundings): boolean {
  const group = groupOf(rest);
  const isEmitted = around.objects.some(
    ({ object }) =>
      object.kind === kind &&
      object.metadata.name === name &&
      apiGroup(object.apiVersion) === group &&
      (object.metadata.namespace ?? namespace) === namespace,
  );
  return (
    isEmitted ||
    around.declarations
      .flatMap(({ declarations: { provides = [], external = [] } }) => [...provides, ...external])
      .some((known) =>
        group === CERT_MANAGER
          ? known.kind === kind && known.name === name && (known.namespace ?? namespace) === namespace
          : known.kind === 'CustomResourceDefinition' && known.name.endsWith(`.${group}`),
      )
  );
}

function undeclaredIssuer({ name, kind = 'ClusterIssuer', namespace, ...rest }: NamedIssuer): Warning {
  const group = groupOf(rest);
  const place = kind === 'Issuer' ? ` of namespace ${namespace}` : '';
  const reference =
    group === CERT_MANAGER
      ? `{ kind: '${kind}', ${kind === 'Issuer' ? `namespace: '${namespace}', ` : ''}name: '${name}' }`
      : `{ kind: 'CustomResourceDefinition', name: '${kind.toLowerCase()}s.${group}' }`;
  const issuer = `${kind} ${name}${place}${group === CERT_MANAGER ? '' : ` of ${group}`}`;
  return PKI_FINDINGS.issuerUndeclared({ issuer, reference });
}

function groupOf({ group = CERT_MANAGER }: Pick<IssuerReference, 'group'>): string {
  return group;
}

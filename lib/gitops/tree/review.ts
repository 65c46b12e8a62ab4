import { issuedSecrets } from '../../kubernetes/checks/certificate-checks';
import { certificateNames } from '../../kubernetes/checks/webhook-check';
import type { Finding } from '../../kubernetes/findings/finding';
import { checkObjects } from '../../linkerd/checks/object-checks';
import { declaredCertificates, inflatedMesh, linkerdDefinitions, lookupNamespaces } from './declared';
import type { ConstructTree } from './read-tree';

/** Returns the findings of the constructs' rules, and of the rules for objects. */
export function reviewTree(tree: ConstructTree): readonly Finding[] {
  const objects = tree.objects.map(({ object }) => object);
  const facts = {
    certificates: new Map([...declaredCertificates(tree.declarations), ...certificateNames(objects)]),
    issued: issuedSecrets(objects),
    // The chart's default.
    trustNamespace: lookupNamespaces(tree).bundles ?? 'cert-manager',
    linkerd: linkerdDefinitions(tree),
    inflatedMesh: inflatedMesh(tree),
  };
  return [...tree.findings, ...checkObjects(tree.objects, facts)];
}

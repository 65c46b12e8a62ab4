import { issuedSecrets } from '../../kubernetes/checks/bundle-check';
import { certificateNames } from '../../kubernetes/checks/webhook-check';
import type { CauseTree } from '../../kubernetes/findings/consequences';
import type { Finding } from '../../kubernetes/findings/finding';
import { apiGroup } from '../../kubernetes/scope';
import { checkObjects } from '../../linkerd/checks/object-checks';
import { declaredCertificates, inflatedMesh, linkerdDefinitions, lookupNamespaces } from './declared';
import type { ConstructTree } from './read-tree';

/** Findings of the constructs' rules, and of the rules for objects, each with regard to the others. */
export function reviewTree(tree: ConstructTree): readonly Finding[] {
  const objects = tree.objects.map(({ object }) => object);
  const facts = {
    certificates: new Map([...declaredCertificates(tree.declarations), ...certificateNames(objects)]),
    issued: issuedSecrets(objects),
    // The chart's default.
    trustNamespace: lookupNamespaces(tree.releases).bundles ?? 'cert-manager',
    linkerd: linkerdDefinitions(tree.releases),
    inflatedMesh: inflatedMesh(tree.releases),
  };
  return [...tree.findings, ...checkObjects(tree.objects, facts)];
}

/** The tree as far as causes go: an object depends on the Namespace that it is in, too, and that on whom it was made for. */
export function causesIn(tree: ConstructTree): CauseTree {
  const namespaces = new Map(
    tree.objects
      .filter(({ object: { apiVersion, kind } }) => kind === 'Namespace' && apiGroup(apiVersion) === '')
      .map(({ object, construct }) => [object.metadata.name, construct]),
  );
  const inNamespaces = tree.objects.flatMap(({ object, construct }) => {
    const namespace = namespaces.get(object.metadata.namespace ?? '');
    return namespace === undefined ? [] : [[construct, namespace] as const];
  });
  return { ...tree, dependencies: [...tree.dependencies, ...tree.purposes, ...inNamespaces] };
}

import { checkKeyMaterial } from '../kubernetes/key-material';
import type { KubernetesObject } from '../kubernetes/kubernetes-object';
import { checkPlainObject } from '../kubernetes/plain-data';
import { describeException } from '../problems/exception';
import { type LocatedProblem, locate } from '../problems/located';
import type { Problem } from '../problems/problem';
import { checkByApiRules, hasSchema } from '../schema/schema';
import { checkMetadata } from '../tree/object-metadata';
import { checkBundle, issuedSecrets } from './checks/bundle-check';
import { checkCertificate } from './checks/certificate-check';
import { checkCertificateSecrets } from './checks/certificate-secrets';
import { checkImages } from './checks/image-check';
import { checkJob } from './checks/job-check';
import { checkKnownKind } from './checks/known-kinds';
import { certificateNames, checkCaBundle, checkWebhook } from './checks/webhook-check';
import { declaredCertificates, lookupNamespaces } from './cluster-references';
import type { ClusterTree } from './cluster-tree';
import { ExplainedObjects } from './explained-objects';
import { remembered } from './remembered';

/** What is wrong with the objects of a cluster, each by itself and with regard to the others. */
export function checkObjects(tree: ClusterTree): readonly LocatedProblem[] {
  const objects = tree.objects.map(({ object }) => object);
  const certificates = new Map([...declaredCertificates(tree.declarations), ...certificateNames(objects)]);
  const issued = issuedSecrets(objects);
  // The chart's default.
  const trustNamespace = lookupNamespaces(tree.releases).bundles ?? 'cert-manager';
  const explained = new ExplainedObjects(tree);
  // What is not plain breaks other rules, or no rule that is known; else only the writer would find it.
  const checkOne = ({ path, object }: ClusterTree['objects'][number]) => {
    const problems = attempt(path, () => checkWritable(path, object));
    const unwritable = problems.length > 0 || !hasSchema(object) ? checkPlainObject(object) : [];
    if (unwritable.length === 0) return problems;
    return explained.byRule(path) ? [] : locate(path, unwritable);
  };
  const checkWritable = (path: string, object: KubernetesObject) => [
    ...knownKindProblems(object),
    ...(explained.bySecret(path) ? [] : keyMaterialProblems(object)),
    ...(explained.byRule(path) ? [] : contentProblems(object)),
    ...(explained.byDependency(path) ? [] : checkCertificate(object)),
    ...checkWebhook(object, certificates),
    ...checkCaBundle(object),
    ...checkBundle(object, issued, trustNamespace),
  ];
  return [...tree.objects.flatMap(checkOne), ...checkCertificateSecrets(tree.objects)];
}

const knownKindProblems = remembered(checkKnownKind);
const keyMaterialProblems = remembered(checkKeyMaterial);
const contentProblems = remembered((object: KubernetesObject): readonly Problem[] => [
  ...checkMetadata(object),
  ...checkByApiRules(object),
  ...checkJob(object),
  ...checkImages(object),
]);

/** An object of a shape that nobody thought of must not hide what is wrong with the others. */
function attempt(path: string, check: () => readonly Problem[]): readonly LocatedProblem[] {
  try {
    return locate(path, check());
  } catch (error) {
    return [{ path, message: `Checking the object failed: ${describeException(error)}` }];
  }
}

import { ApiObject, App } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { Problem } from '../../kubernetes/findings/problem';
import { TREE_FINDINGS } from './findings';

/**
 * Reports an App of a copy of cdk8s that is not the library's own. Package managers keep two where two packages ask for
 * versions that do not go together.
 */
export function checkApp(root: IConstruct): readonly Problem[] {
  // What every App has by which objects are written.
  const isApp = 'resolvers' in root && 'synth' in root;
  return isApp && !(root instanceof App) ? [twoCopies('The App')] : [];
}

/** Tells whether an object is of such a copy; cdk8s' own `instanceof` takes all copies for one. */
export function isOfAnotherCopy(object: ApiObject): boolean {
  return !Object.prototype.isPrototypeOf.call(ApiObject.prototype, object);
}

/** The problem that each copy knows the lazy values of its own only. @param outcome - what came of it, after a comma */
export function twoCopies(subject: string, outcome = ''): Problem {
  return TREE_FINDINGS.cdk8sDuplicate({ subject, outcome });
}

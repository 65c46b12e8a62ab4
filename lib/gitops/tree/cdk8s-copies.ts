import { ApiObject, App } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { Problem } from '#base/findings/problem';
import { TREE_FINDINGS } from './findings';

/**
 * Reports an App of another copy of cdk8s than the library's own. Package managers keep two copies if two packages ask
 * for incompatible versions.
 */
export function checkApp(root: IConstruct): readonly Problem[] {
  // Members of every App, by which it writes objects.
  const isApp = 'resolvers' in root && 'synth' in root;
  return isApp && !(root instanceof App) ? [TREE_FINDINGS.cdk8sDuplicate({ subject: 'The App' })] : [];
}

/** Whether an object belongs to another copy of cdk8s; cdk8s' own `instanceof` treats all copies as one. */
export function isOfAnotherCopy(object: ApiObject): boolean {
  return !Object.prototype.isPrototypeOf.call(ApiObject.prototype, object);
}

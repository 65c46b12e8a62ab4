import type { IConstruct } from 'constructs';
import { type Classes, type ClassName, checkClass, isOfClass } from '../../kubernetes/cdk8s-values';
import { addRule } from './add-rule';

/** A construct's prop of a class; where it is none, which is reported, what goes on in its stead. */
export function propOfClass<Name extends ClassName>(
  scope: IConstruct,
  name: Name,
  { field, value, instead }: { readonly field: string; readonly value: unknown; readonly instead: Classes[Name] },
): Classes[Name] {
  if (value === undefined) return instead;
  const problems = checkClass(name, field, value);
  if (problems.length > 0) addRule(scope, () => problems);
  return isOfClass(name, value) ? value : instead;
}

import { CREATED_BY } from '../../annotations';

/** Values that name the creator of the objects. */
export interface CreatorValues {
  readonly cliVersion: string | undefined;
  readonly linkerdVersion: string | undefined;
}

/** Returns the annotation with the creator of an object: this library, unless the values name another tool. */
export function createdBy({ cliVersion, linkerdVersion }: CreatorValues): Record<string, string> {
  return { [CREATED_BY]: cliVersion || `cdk8s-linkerd ${linkerdVersion ?? ''}` };
}

/** Returns the annotation with which this library marks the objects of an extension. */
export function creator({ linkerdVersion }: Pick<CreatorValues, 'linkerdVersion'>): Record<string, string> {
  return createdBy({ cliVersion: undefined, linkerdVersion });
}

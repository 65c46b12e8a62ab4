import { CREATED_BY } from '../../annotations';

/** Values that say who made the objects. */
export interface CreatorValues {
  readonly cliVersion: string | undefined;
  readonly linkerdVersion: string | undefined;
}

/** The annotation by which tools sign what they made: this library, unless the values name another one. */
export function createdBy({ cliVersion, linkerdVersion }: CreatorValues): Record<string, string> {
  return { [CREATED_BY]: cliVersion || `cdk8s-linkerd ${linkerdVersion ?? ''}` };
}

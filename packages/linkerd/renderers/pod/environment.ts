import type { EnvVar } from '#imports/kubernetes';
import { isEmpty } from '../empty';
import { unquoted } from '../print';

type EnvValue = string | number | boolean | undefined;

export function env(name: string, value: EnvValue): EnvVar {
  return value === undefined ? { name } : { name, value: `${value}` };
}

/** An environment variable whose value the chart prints without quotes. */
export function unquotedEnv(name: string, value: string | undefined): EnvVar {
  const read = unquoted(value);
  return read === undefined ? { name } : { name, value: read };
}

/** An environment variable that is set only if its value is not empty. */
export function envUnlessEmpty(name: string, value: EnvValue): readonly EnvVar[] {
  return isEmpty(value) ? [] : [env(name, value)];
}

/** An environment variable with the value of one of the pod's own fields. */
export function envFromField(name: string, fieldPath: string): EnvVar {
  return { name, valueFrom: { fieldRef: { fieldPath } } };
}

/** Values that add environment variables to a container. */
export interface AddedEnvironment {
  readonly additionalEnv?: readonly EnvVar[] | undefined;
  readonly experimentalEnv?: readonly EnvVar[] | undefined;
}

/** Returns the environment variables that values add to a container. */
export function addedEnvironment({ additionalEnv, experimentalEnv }: AddedEnvironment): readonly EnvVar[] {
  return [...(additionalEnv ?? []), ...(experimentalEnv ?? [])];
}

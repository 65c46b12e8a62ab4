import type { Problem } from '#base/findings/problem';
import { isMap, type Value, type Values, valueAt } from '#base/values';
import { INJECTION_FINDINGS } from './findings';
import { type Injector, reads } from './injector';

const SECURITY_CONTEXTS = ['proxy.securityContext', 'networkValidator.securityContext'];
const ENVIRONMENTS = ['proxy.additionalEnv', 'proxy.experimentalEnv'];

/** Checks the containers that the injector adds for anything that Kubernetes refuses, or nodes do not start. */
export function checkContainers(values: Values, injector: Injector): readonly Problem[] {
  const isRead = (path: string) => reads(injector, path);
  return [
    ...SECURITY_CONTEXTS.filter(isRead).flatMap((path) => checkSecurityContext(values, path)),
    ...ENVIRONMENTS.filter(isRead).flatMap((path) => checkEnvironment(values, path)),
    ...checkTokenMount(values),
  ];
}

function checkSecurityContext(values: Values, path: string): readonly Problem[] {
  const context = valueAt(values, path);
  if (!isMap(context)) return [];
  const problems: Problem[] = [];
  if (context.runAsNonRoot === true && context.runAsUser === 0) {
    problems.push(INJECTION_FINDINGS.injectedValueRefusedRoot({ path }, { about: `values.${path}.runAsUser` }));
  }
  if (context.allowPrivilegeEscalation === false && context.privileged === true) {
    problems.push(INJECTION_FINDINGS.injectedValueRefusedPrivileges({ path }, { about: `values.${path}.privileged` }));
  }
  return [
    ...problems,
    ...['appArmorProfile', 'seccompProfile'].flatMap((key) => checkProfile(`${path}.${key}`, context[key])),
  ];
}

function checkProfile(path: string, profile: Value | undefined): readonly Problem[] {
  if (!isMap(profile)) return [];
  const { localhostProfile: name = null, type = null } = profile;
  if (type === 'Localhost' ? name !== null && name !== '' : name === null) return [];
  const details = { about: `values.${path}.localhostProfile` };
  return [
    type === 'Localhost'
      ? INJECTION_FINDINGS.injectedValueRefusedProfileMissing({ path }, details)
      : INJECTION_FINDINGS.injectedValueRefusedProfileUnused({ path, type: JSON.stringify(type) }, details),
  ];
}

function checkEnvironment(values: Values, path: string): readonly Problem[] {
  const list: Value | undefined = valueAt(values, path);
  if (!Array.isArray(list)) return [];
  return (list as readonly Value[]).flatMap((variable, index) =>
    isMap(variable) ? checkVariable(`values.${path}[${index}]`, variable) : [],
  );
}

/** Names of environment variables since Kubernetes 1.32, and by a setting before: printable characters except "=". */
const PRINTABLE = /^[ -<>-~]+$/;

function checkVariable(field: string, { name, value, valueFrom }: Values): readonly Problem[] {
  const problems: Problem[] = [];
  if (typeof name !== 'string' || !PRINTABLE.test(name)) {
    problems.push(INJECTION_FINDINGS.injectedValueRefusedVariable({ field }, { about: field }));
  }
  if (isMap(valueFrom) && typeof value === 'string' && value !== '') {
    problems.push(INJECTION_FINDINGS.injectedValueRefusedVariableValue({ field }, { about: field }));
  }
  return problems;
}

function checkTokenMount(values: Values): readonly Problem[] {
  if (!isMap(valueAt(values, 'proxy.saMountPath'))) return [];
  return [INJECTION_FINDINGS.injectedValueRefusedTokenMount({}, { about: 'values.proxy.saMountPath' })];
}
